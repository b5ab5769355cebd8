import { instantOf, type AccountImportList } from '@account-import/core'
import { setTimeout } from 'node:timers/promises'
import { rawApi } from '../../journeys/support/raw-api.js'
import { tokenOf } from '../../journeys/support/token-of.js'
import { answer } from '../../support/answers.js'
import { median } from '../../support/median.js'
import { peakMemory, residentMemory } from '../../support/resident-memory.js'
import { startServerProcess } from '../../support/server-process.js'
import { openSharedDatabase, type SharedDatabase } from '../../support/shared-database.js'

/** One figure, with its bound, if there is one. */
export type Figure = Readonly<{
  name: string
  detail: string
  value: number
  unit: 'MiB' | 'ms' | 'times' | 'a second' | 'KiB'
  most?: number
}>

export const isMissed = ({ value, most }: Figure): boolean => most !== undefined && !(value <= most)

/** A line of a Markdown table. */
export const figureCells = (figure: Figure): readonly string[] => [
  figure.name,
  `${Number(figure.value.toFixed(2))} ${figure.unit}`,
  figure.most === undefined ? '' : String(Number(figure.most.toFixed(2))),
  figure.detail,
]

const mostMemory = 50
const mostRatio = 1.5

/** A server process on a database that the test can read, and a client with a token. */
export type Surroundings = Readonly<{
  database: SharedDatabase
  address: string
  pid: number
  /** Requests a resource of the supplier. */
  get(what: string, search?: string): Promise<Response>
}>

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

export const withServer = async <A>(
  database: SharedDatabase,
  work: (surroundings: Surroundings) => Promise<A>,
): Promise<A> => {
  const { address, pid, stop } = await startServerProcess(database.environment)
  try {
    const token = await tokenOf(rawApi(address), database.apiKey)
    const get = async (what: string, search = ''): Promise<Response> => {
      const url = `${address}/v1/data-import/${what}/${database.supplier}/${search}`
      const response = await fetch(url, { headers: { Authorization: `Token ${token}` } })
      if (response.status !== 200) throw new Error(`${what} was answered with ${response.status}`)
      return response
    }
    return await work({ database, address, pid, get })
  } finally {
    await stop()
  }
}

const pathOf = (list: AccountImportList): string => `${list}-account-import-processes`

/** Reads the whole list without storing it, and returns the number of items. Each is on its own line, between the brackets. */
const wholeList = async ({ get }: Surroundings, list: AccountImportList): Promise<number> => {
  const { body } = await get(pathOf(list))
  let lines = 0
  const lineEnd = '\n'.charCodeAt(0)
  for await (const chunk of body ?? []) for (const byte of chunk) if (byte === lineEnd) lines += 1
  return lines - 1
}

/** Reads one page; returns the query of the next one. */
const readPage = async ({ get }: Surroundings, list: AccountImportList, search: string) => {
  const response = await get(pathOf(list), search)
  await response.arrayBuffer()
  return /<[^>?]*(\?[^>]*)>/.exec(response.headers.get('Link') ?? '')?.[1]
}

const batch = 1000

/** Stages a number of small imports; their numbers are as long as real ones. */
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

const memoryFigure = async (
  surroundings: Surroundings,
  list: AccountImportList,
  count: number,
  idle: number,
): Promise<Figure> => {
  const begun = Date.now()
  const peak = await peakMemory(surroundings.pid, async () => {
    const items = await wholeList(surroundings, list)
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

/** Compares the first and the last page of a list, both full, in turns, so that both see the same load. */
const latencyFigure = async (
  surroundings: Surroundings,
  list: AccountImportList,
  limit: number,
): Promise<Figure> => {
  const lastAfter = async (from: string): Promise<string> => {
    let last = from
    for (let next: string | undefined = from; next !== undefined;) {
      last = next
      next = await readPage(surroundings, list, next)
    }
    return last
  }
  // Goes there by the longest pages, then by pages of the given length.
  const nearTheEnd = await lastAfter('?limit=1000')
  const searches = [`?limit=${limit}`, await lastAfter(nearTheEnd.replace('limit=1000', `limit=${limit}`))]
  const times: readonly number[][] = [[], []]
  for (let repetition = 0; repetition < 50; repetition += 1)
    for (const [place, search] of searches.entries()) {
      const begun = performance.now()
      await readPage(surroundings, list, search)
      times[place]?.push(performance.now() - begun)
    }
  const [first = NaN, last = NaN] = times.map(median)
  return {
    name: `last page / first page, ${list}, limit ${limit}`,
    detail: `${first.toFixed(2)} ms first, ${last.toFixed(2)} ms last`,
    value: last / first,
    unit: 'times',
    most: mostRatio,
  }
}

/** Reads lists with a number of imports each: the memory of whole lists, and the time of the last page and the first. */
export const listFigures = async (
  surroundings: Surroundings,
  lists: readonly AccountImportList[],
  count: number,
): Promise<readonly Figure[]> => {
  await readPage(surroundings, 'all', '?limit=10')
  await setTimeout(1000)
  const idle = residentMemory(surroundings.pid)
  const figures: Figure[] = []
  for (const list of lists) figures.push(await memoryFigure(surroundings, list, count, idle))
  for (const list of lists)
    for (const limit of [1000, 100]) figures.push(await latencyFigure(surroundings, list, limit))
  return figures
}
