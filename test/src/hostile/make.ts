/** The most bytes of a request's body. */
export const bodyLimit = 5 * 1024 * 1024

/** Bytes left for the rest of an account and the brackets around a list; more than they need. */
const reserve = 4096

/** The most items of a list. */
const mostItems = 10_000

export const times = <A>(length: number, make: (index: number) => A): readonly A[] =>
  Array.from({ length }, (_, index) => make(index))

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** How many items are measured to estimate the size of all: building them takes longer than validating them. */
const samples = [0, 7, 1000, 99_999]

/** As many items as `bytes` of a body take. */
const filled = <A>(make: (index: number) => A, most: number, bytes: number): readonly A[] => {
  const size = Math.max(...samples.map((index) => bytesOf(make(index)))) + 1
  return times(Math.min(most, Math.floor(bytes / size)), make)
}

/** A list that fills a body, or its `share` of one, or has as many items as a list may have. */
export const list = <A>(make: (index: number) => A, share = 1): readonly A[] =>
  filled(make, mostItems, (bodyLimit - reserve) * share)

/** What may come with each of the lists that share a body. */
const aroundList = 200

/** Lists of up to 10 000 items that together fill a body. */
export const lists = <A>(make: (index: number) => A): readonly (readonly A[])[] => {
  // The smallest items, of two bytes, fill 180 lists.
  const items = filled(make, Infinity, bodyLimit - reserve - 180 * aroundList)
  return times(Math.ceil(items.length / mostItems), (at) => items.slice(at * mostItems, (at + 1) * mostItems))
}

/** An object of as many fields as fill a body. */
export const keyed = (key: (index: number) => string, value: unknown = 1): object =>
  Object.fromEntries(filled((index) => [key(index), value] as const, Infinity, bodyLimit - reserve))

/** The same numbers in another order, without a pattern that a sort could use. */
export const shuffled = (index: number): number => (index * 2_654_435_761) % 4_294_967_296
