/** What a success is answered with; warnings are in the headers and change neither status nor body. */
export type Answer<Body, Status extends number> = Readonly<{
  status: Status
  headers: Readonly<Record<string, string>>
  body: Body
}>

/** A list that is answered in pieces, a page at a time, so that it never has to be in memory as a whole. */
export type ListAnswer<Item, Status extends number> = Readonly<{
  status: Status
  headers: Readonly<Record<string, string>>
  pages: AsyncIterable<readonly Item[]>
}>
