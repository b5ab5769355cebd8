import type { AccountImportList } from '@account-import/core'
import type { ListReader } from './list-reader.js'
import { median } from './median.js'

const repetitions = 50

/** Milliseconds, medians. */
export type PageLatency = Readonly<{ first: number; last: number; ratio: number }>

const searchOfLastPage = async (
  reader: ListReader,
  list: AccountImportList,
  from: string,
): Promise<string> => {
  let last = from
  for (let next = await reader.page(list, from); next !== undefined; next = await reader.page(list, next))
    last = next
  return last
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/** First against last page of a list, both full, in turns, so that both see the same machine. */
export const pageLatency = async (
  reader: ListReader,
  list: AccountImportList,
  limit: number,
): Promise<PageLatency> => {
  const firstSearch = `?limit=${limit}`
  // The way there by the longest pages, then by pages of the asked length.
  const nearTheEnd = await searchOfLastPage(reader, list, '?limit=1000')
  const lastSearch = await searchOfLastPage(reader, list, nearTheEnd.replace('limit=1000', `limit=${limit}`))
  const first: number[] = []
  const last: number[] = []
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    first.push(await timed(() => reader.page(list, firstSearch)))
    last.push(await timed(() => reader.page(list, lastSearch)))
  }
  return { first: median(first), last: median(last), ratio: median(last) / median(first) }
}
