import type { AccountImportList } from '@account-import/core'
import { setTimeout } from 'node:timers/promises'
import { rawApi } from '../journeys/support/raw-api.js'
import { tokenOf } from '../journeys/support/token-of.js'
import { startServerProcess } from '../support/server-process.js'
import { openSharedDatabase } from '../support/shared-database.js'
import { listReader, type ListReader } from './list-reader.js'
import { pageLatency } from './page-latency.js'
import { peakMemory, residentMemory } from './resident-memory.js'
import { stageMany } from './stage-many.js'

/** One figure with its bound. */
export type Figure = Readonly<{ name: string; detail: string; value: number; most: number }>

const mostMemory = 50
const mostRatio = 1.5
const lists = ['all', 'pending'] as const satisfies readonly AccountImportList[]

const memoryFigure = async (
  reader: ListReader,
  pid: number,
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
    name: `whole list, ${list}: MiB above idle`,
    detail: `idle ${idle.toFixed(1)}, peak ${peak.toFixed(1)} MiB, ${Date.now() - begun} ms`,
    value: peak - idle,
    most: mostMemory,
  }
}

const latencyFigure = async (reader: ListReader, list: AccountImportList, limit: number): Promise<Figure> => {
  const { first, last, ratio } = await pageLatency(reader, list, limit)
  return {
    name: `last page / first page, ${list}, limit ${limit}`,
    detail: `${first.toFixed(2)} ms first, ${last.toFixed(2)} ms last`,
    value: ratio,
    most: mostRatio,
  }
}

const measure = async (reader: ListReader, pid: number, count: number): Promise<readonly Figure[]> => {
  await reader.page('all', '?limit=10')
  await setTimeout(1000)
  const idle = residentMemory(pid)
  const figures: Figure[] = []
  for (const list of lists) figures.push(await memoryFigure(reader, pid, list, count, idle))
  for (const list of lists)
    for (const limit of [1000, 100]) figures.push(await latencyFigure(reader, list, limit))
  return figures
}

/** Lists so many imports by a server process of its own. The database is empty before. */
export const scaleRun = async (url: string, count: number): Promise<readonly Figure[]> => {
  const database = await openSharedDatabase(url)
  try {
    await stageMany(database, count)
    const server = await startServerProcess(database.environment)
    try {
      const token = await tokenOf(rawApi(server.address), database.apiKey)
      return await measure(listReader(server.address, database.supplier, token), server.pid, count)
    } finally {
      await server.stop()
    }
  } finally {
    await database.close()
  }
}
