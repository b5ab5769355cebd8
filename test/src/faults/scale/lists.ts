import { instantOf, type AccountImportList } from '@account-import/core'
import { setTimeout } from 'node:timers/promises'
import { rawApi } from '../../journeys/support/raw-api.js'
import { tokenOf } from '../../journeys/support/token-of.js'
import { answer } from '../../support/answers.js'
import { median } from '../../support/median.js'
import { peakMemory, residentMemory } from '../../support/resident-memory.js'
import { startServerProcess } from '../../support/server-process.js'
import { openSharedDatabase, type SharedDatabase } from '../../support/shared-database.js'
import type { Figure } from './figure.js'

const mostMemory = 50
const mostRatio = 1.5

/** Asks for lists and summary of one supplier, as a client with a token does. */
type ListReader = Readonly<{
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

const listReader = (address: string, supplier: string, token: string): ListReader => {
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

/** A server process on a database that can be looked into, and what a client with a token can ask of it. */
export type Surroundings = Readonly<{
  database: SharedDatabase
  address: string
  pid: number
  reader: ListReader
}>

/** Works on an empty database, with an organisation that has a supplier and a team. */
export const withDatabase = async <A>(
  url: string,
  work: (database: SharedDatabase) => Promise<A>,
): Promise<A> => {
  const database = await openSharedDatabase(url)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Works with a server that has just been started on the database. */
export const withServer = async <A>(
  database: SharedDatabase,
  work: (surroundings: Surroundings) => Promise<A>,
): Promise<A> => {
  const { address, pid, stop } = await startServerProcess(database.environment)
  try {
    const token = await tokenOf(rawApi(address), database.apiKey)
    return await work({ database, address, pid, reader: listReader(address, database.supplier, token) })
  } finally {
    await stop()
  }
}

const batch = 1000

/** Stages so many small imports; their numbers are as long as real ones are. */
export const stageMany = async ({ stores, key, supplier }: SharedDatabase, count: number): Promise<void> => {
  for (let begin = 0; begin < count; begin += batch) {
    const stagings = Array.from({ length: Math.min(batch, count - begin) }, (_, index) => {
      const number = `LEV-${String(begin + index).padStart(9, '0')}`
      const payload = JSON.stringify({ import_supplier: supplier, external_account_number: number })
      return { key: key(number), payload, at: instantOf(Date.now()) }
    })
    await answer(stores.accountImports.stage(stagings))
  }
}

const repetitions = 50

/** Milliseconds, medians. */
type PageLatency = Readonly<{ first: number; last: number; ratio: number }>

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
const pageLatency = async (
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

const memoryFigure = async (
  { reader, pid }: Surroundings,
  list: AccountImportList,
  count: number,
  idle: number,
): Promise<Figure> => {
  const begun = Date.now()
  const peak = await peakMemory(pid, async () => {
    const items = await reader.wholeList(list)
    if (items !== count) throw new Error(`The list holds ${items} items, not ${count}`)
  })
  return {
    name: `whole list, ${list}: above idle`,
    detail: `idle ${idle.toFixed(1)}, peak ${peak.toFixed(1)} MiB, ${Date.now() - begun} ms`,
    value: peak - idle,
    unit: 'MiB',
    most: mostMemory,
  }
}

const latencyFigure = async (
  { reader }: Surroundings,
  list: AccountImportList,
  limit: number,
): Promise<Figure> => {
  const { first, last, ratio } = await pageLatency(reader, list, limit)
  return {
    name: `last page / first page, ${list}, limit ${limit}`,
    detail: `${first.toFixed(2)} ms first, ${last.toFixed(2)} ms last`,
    value: ratio,
    unit: 'times',
    most: mostRatio,
  }
}

/** Reads lists that hold so many imports each: memory of whole ones, last page beside the first. */
export const listFigures = async (
  surroundings: Surroundings,
  lists: readonly AccountImportList[],
  count: number,
): Promise<readonly Figure[]> => {
  await surroundings.reader.page('all', '?limit=10')
  await setTimeout(1000)
  const idle = residentMemory(surroundings.pid)
  const figures: Figure[] = []
  for (const list of lists) figures.push(await memoryFigure(surroundings, list, count, idle))
  for (const list of lists)
    for (const limit of [1000, 100]) figures.push(await latencyFigure(surroundings, list, limit))
  return figures
}

/** Stages so many imports in the database, which is empty before, and lists them. */
export const listsRun = (url: string, count: number): Promise<readonly Figure[]> =>
  withDatabase(url, async (database) => {
    await stageMany(database, count)
    return withServer(database, (surroundings) => listFigures(surroundings, ['all', 'pending'], count))
  })
