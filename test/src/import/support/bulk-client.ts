import { createClient, type BulkResult, type BulkResults, type StagedLine } from '@account-import/client'
import { inMemoryStorePorts } from '@account-import/core/in-memory'
import type { ExecutionContext } from 'ava'
import { openWorld, type World } from '../../journeys/support/world.js'
import { gasAccount } from '../../support/samples.js'
import { faultyProxy, type Fault } from './faulty-proxy.js'

export type Bulk = World & Readonly<{ line(number: string): string }>

export const bulk = async (t: ExecutionContext): Promise<Bulk> => {
  const world = await openWorld(t, { name: 'in memory', stores: inMemoryStorePorts })
  return { ...world, line: (number) => JSON.stringify(gasAccount(world.supplier, number)) }
}

/** A client whose requests meet these faults, one after the other. */
export const faulty = async (t: ExecutionContext, { baseUrl, apiKey }: World, faults: Fault[]) => {
  const proxy = await faultyProxy(t, baseUrl, faults)
  return { client: createClient({ baseUrl: proxy.baseUrl, apiKey }), seen: proxy.seen }
}

export const all = async <Done>(results: BulkResults<Done>): Promise<readonly BulkResult<Done>[]> => {
  const read: BulkResult<Done>[] = []
  for await (const result of results) read.push(result)
  return read
}

export const short = (result: BulkResult<StagedLine>): string =>
  result.outcome === 'stopped' ? `stopped ${result.failure.code}` : `${result.line} ${result.status}`

export const numbers = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `N-${at}`)
