import { connectSql, createSqlPorts, migrate } from '@account-import/adapter-sql'
import { makeUseCases } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import type { Connection } from 'mysql2'
import { loadavg } from 'node:os'
import { startGalera } from '../servers/index.js'
import { answer } from '../support/answers.js'
import { median } from '../support/median.js'
import { gasAccount } from '../support/samples.js'
import { setUp } from '../support/set-up.js'
import { machineText, markdownTable, saveTable } from './report/figures.js'

/** What is used of a Knex client: its published type has no shape. */
type Client = { acquireRawConnection(): Promise<Connection> }

/** Sets each new connection once more, after the service has set it. */
const setConnections = (client: Client, sql: string): void => {
  const acquire = client.acquireRawConnection.bind(client)
  client.acquireRawConnection = async () => {
    const connection = await acquire()
    await connection.promise().query(sql)
    return connection
  }
}

/** As the service is, or with `set` on each of its connections. */
const openVariant = async (url: string, set?: string) => {
  const knex = connectSql(url)
  await migrate(knex)
  if (set !== undefined) setConnections(knex.client as Client, set)
  const ports = inMemoryPorts(createSqlPorts(knex))
  const useCases = makeUseCases(ports)
  const { organisation, supplier } = await setUp(useCases.operator)
  let count = 0
  return {
    /** One SELECT by its key. */
    read: () => answer(ports.importSuppliers.findByCode(supplier)),
    /** Stages a new account. */
    stage: () =>
      answer(useCases.stageAccount({ organisation, payload: gasAccount(supplier, `A-${(count += 1)}`) })),
    close: () => knex.destroy(),
  }
}

type Variant = Awaited<ReturnType<typeof openVariant>>

/** Calls a second, of so many that are made by some clients at once. */
const rate = async (times: number, clients: number, call: () => Promise<unknown>): Promise<number> => {
  let left = times
  const begun = performance.now()
  const client = async (): Promise<void> => {
    while (left-- > 0) await call()
  }
  await Promise.all(Array.from({ length: clients }, client))
  return (times * 1000) / (performance.now() - begun)
}

const measures: Readonly<Record<string, (variant: Variant) => Promise<number>>> = {
  'one SELECT by its key, 100 in a slice, ms': async ({ read }) => 1000 / (await rate(100, 1, read)),
  'staging, 1 client, 20 in a slice, ms': async ({ stage }) => 1000 / (await rate(20, 1, stage)),
  'staging, 64 clients, 256 in a slice, a second': ({ stage }) => rate(256, 64, stage),
}

/** Each of them for both variants, in turns. */
const slices = 8

/** The medians of all slices, and how the two differed in the slices beside each other. */
const compared = async (
  of: (variant: Variant) => Promise<number>,
  waiting: Variant,
  hasty: Variant,
): Promise<readonly string[]> => {
  const found = { waiting: new Array<number>(), hasty: new Array<number>() }
  // What is prepared and read for the first time belongs to neither.
  await of(waiting)
  await of(hasty)
  for (let slice = 0; slice < slices; slice += 1) {
    if (slice % 2 === 0) found.waiting.push(await of(waiting))
    found.hasty.push(await of(hasty))
    if (slice % 2 === 1) found.waiting.push(await of(waiting))
  }
  const ratios = found.waiting.map((value, slice) => value / (found.hasty[slice] ?? Number.NaN))
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2))
  const medians = [median(found.waiting), median(found.hasty)].map((value) =>
    String(Number(value.toPrecision(3))),
  )
  return [...medians, `${median(ratios).toFixed(2)} (${least} to ${most})`]
}

/** Measures what it costs that statements wait for what other nodes had committed before, on three nodes of Galera. */
export const measureWaits = async (isSaved: boolean): Promise<void> => {
  const [load = 0] = loadavg()
  const galera = await startGalera()
  const variants: Variant[] = []
  try {
    const url = galera.nodes[0]?.url(await galera.createDatabase()) ?? ''
    const waiting = await openVariant(url)
    variants.push(waiting)
    const hasty = await openVariant(url, 'SET SESSION wsrep_sync_wait = 0')
    variants.push(hasty)
    const rows = [['', 'as the service sets it, 7', 'with 0', '7 beside 0']]
    for (const [what, of] of Object.entries(measures))
      rows.push([what, ...(await compared(of, waiting, hasty))])
    const table = markdownTable(rows, 1)
    console.log(table)
    const machine = machineText(`three nodes of MariaDB with Galera; load ${load.toFixed(1)} before`)
    if (isSaved) saveTable('reads that wait', `${machine}.\n\n${table}`, 'fault-report')
  } finally {
    for (const variant of variants) await variant.close()
    await galera.stop()
  }
}
