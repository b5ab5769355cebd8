import type { AccountImportList } from '@account-import/core'
import { setTimeout } from 'node:timers/promises'
import type { Figure } from './figure.js'
import { pageLatency } from './page-latency.js'
import { peakMemory, residentMemory } from './resident-memory.js'
import { stageMany } from './stage-many.js'
import { withDatabase, withServer, type Surroundings } from './with-server.js'

const mostMemory = 50
const mostRatio = 1.5

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
