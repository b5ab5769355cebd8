/** A response that a browser shows. */
export type Page = Readonly<{ address: string; status: number; type: string; policy: string; text: string }>

/** The page at an address, after redirects. */
export const pageAt = async (address: string): Promise<Page> => {
  const answer = await fetch(address)
  const { status, headers } = answer
  const of = (name: string): string => headers.get(name) ?? ''
  return {
    address: answer.url,
    status,
    type: of('content-type'),
    policy: of('content-security-policy'),
    text: await answer.text(),
  }
}
