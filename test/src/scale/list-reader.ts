import type { AccountImportList } from '@account-import/core'

/** Asks for lists and summary of one supplier, as a client with a token does. */
export type ListReader = Readonly<{
  /** Reads the whole list and keeps nothing of it; gives the number of its items. */
  wholeList(list: AccountImportList): Promise<number>
  /** Reads one page; gives the search of the next one. */
  page(list: AccountImportList, search: string): Promise<string | undefined>
  /** How many accounts were created. */
  summary(): Promise<Readonly<{ created: number }>>
}>

const lineEnd = '\n'.charCodeAt(0)

/** Each item of a whole list stands on a line of its own, between the brackets. */
const linesIn = async (body: AsyncIterable<Uint8Array>): Promise<number> => {
  let lines = 0
  for await (const chunk of body) for (const byte of chunk) if (byte === lineEnd) lines += 1
  return lines
}

export const listReader = (address: string, supplier: string, token: string): ListReader => {
  const get = async (what: string, search: string): Promise<Response> => {
    const url = `${address}/v1/data-import/${what}/${supplier}/${search}`
    const response = await fetch(url, { headers: { Authorization: `Token ${token}` } })
    if (response.status !== 200) throw new Error(`${what} was answered with ${response.status}`)
    return response
  }
  const listOf = (list: AccountImportList): string => `${list}-account-import-processes`
  return {
    wholeList: async (list) => {
      const { body } = await get(listOf(list), '')
      return body === null ? 0 : (await linesIn(body)) - 1
    },
    page: async (list, search) => {
      const response = await get(listOf(list), search)
      await response.arrayBuffer()
      return /<[^>?]*(\?[^>]*)>/.exec(response.headers.get('Link') ?? '')?.[1]
    },
    summary: async () =>
      (await (await get('account-import-summary', '')).json()) as Readonly<{ created: number }>,
  }
}
