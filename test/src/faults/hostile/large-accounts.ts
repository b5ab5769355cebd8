import { inMemoryPorts } from '@account-import/core/in-memory'
import { setTimeout as delay } from 'node:timers/promises'
import { rawApi } from '../../journeys/support/raw-api.js'
import { tokenOf } from '../../journeys/support/token-of.js'
import { answer } from '../../support/answers.js'
import { bin, cli } from '../../support/cli-process.js'
import { median } from '../../support/median.js'
import { onBackend } from '../../support/on-backend.js'
import { residentMemory } from '../../support/resident-memory.js'
import { gasAccount } from '../../support/samples.js'
import { startServerProcess } from '../../support/server-process.js'
import { openSharedDatabase, type SharedDatabase } from '../../support/shared-database.js'

/** The memory that examples/deploy/kubernetes.yaml gives to a process. */
const heap = {
  NODE_OPTIONS: '--max-old-space-size=384',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
}

const withList = (supplier: string, number: string, list: unknown): string =>
  JSON.stringify({ ...gasAccount(supplier, number), metadata: [{ key: 'large', value: { list } }] })

/** The largest valid account: 99,000 values, texts with which it fills a body of 5 MB. */
export const largest = (supplier: string, number: string): string =>
  withList(
    supplier,
    number,
    Array.from({ length: 11 }, (_, list) =>
      Array.from({ length: 8990 }, (__, index) => `${list}-${index} ${'x'.repeat(38)}`),
    ),
  )

/** An account from before there was a limit of values: 1.6 million of them in 4.9 MB. */
export const unlimited = (supplier: string, number: string): string =>
  withList(
    supplier,
    number,
    Array.from({ length: 180 }, () => Array.from({ length: 9000 }, () => ({}))),
  )

type Kind = (supplier: string, number: string) => string

export const numberOf = (index: number): string => `L-${String(index).padStart(4, '0')}`

/** Stages accounts directly in the store, so that accounts above the present limits are stored too. */
const stage = async ({ supplier, key, stores }: SharedDatabase, kind: Kind, count: number): Promise<void> => {
  const { clock } = inMemoryPorts()
  for (let index = 0; index < count; index += 1) {
    const number = numberOf(index)
    const staging = { key: key(number), payload: kind(supplier, number), at: clock.now() }
    await answer(stores.accountImports.stage([staging]))
  }
}

/** The work with a server with a heap of 384 MB, over a database with large staged accounts. */
export const withLargeAccounts = <A>(
  kind: Kind,
  count: number,
  work: (to: Awaited<ReturnType<typeof watchedServer>>) => Promise<A>,
): Promise<A> =>
  onBackend.sqlite(async (url) => {
    const database = await openSharedDatabase(url)
    await stage(database, kind, count)
    const server = await watchedServer(database)
    try {
      return await work(server)
    } finally {
      await server.stop()
      await database.close()
    }
  })

const watchedServer = async (database: SharedDatabase) => {
  const { address, pid, stop } = await startServerProcess({ ...database.environment, ...heap }, bin)
  const api = rawApi(address)
  const token = await tokenOf(api, database.apiKey)
  /** Does the work, and meanwhile measures health on an open connection, in milliseconds, and memory, in MiB. */
  const watched = async <A>(work: () => Promise<A>) => {
    let isOver = false
    let peak = 0
    const times: number[] = []
    const watching = (async () => {
      while (!isOver) {
        const begun = performance.now()
        await (await fetch(`${address}/livez`)).text()
        times.push(performance.now() - begun)
        peak = Math.max(peak, residentMemory(pid))
        await delay(10)
      }
    })()
    const begun = performance.now()
    const result = await work().finally(() => {
      isOver = true
    })
    const seconds = (performance.now() - begun) / 1000
    await watching
    const figures = { seconds, median: median(times), worst: Math.max(...times), peak, asked: times.length }
    return { result, figures }
  }
  /** Runs a command of the operator with the heap of the server. */
  const command = (args: readonly string[]) => cli(args, { ...database.environment, ...heap })
  return { ...database, address, pid, token, api, watched, command, stop }
}
