import { randomBytes } from 'node:crypto'
import type { AccountPayload } from '@account-import/core'
import { closedLoop } from '../load/closed-loop.js'
import type { LoadJob, LoadResult } from '../load/load-job.js'
import { bodyTemplates, stamped } from '../workload/bodies.js'
import { names, numberOf } from '../workload/names.js'
import { accountRows } from './account-rows.js'
import type { InTransaction } from './database.js'
import { markCreated } from './imports-table.js'
import { insertRows } from './insert-rows.js'
import type { TableRows } from './table-rows.js'

/** An account on its way: its number on the platform, at random as the service's are, and its rows. */
type Prepared = Readonly<{ platformNumber: string; tables: readonly TableRows[] }>

const sqlNow = (): string => new Date().toISOString().slice(0, 23).replace('T', ' ')

const prepare = (body: Buffer): Prepared => {
  const platformNumber = `A-${randomBytes(6).toString('hex').toUpperCase()}`
  const tables = accountRows(JSON.parse(body.toString()) as AccountPayload, {
    organisation: names.organisation,
    platformAccountNumber: platformNumber,
    operationsTeam: names.team,
    stagedVersion: 1,
    now: sqlNow(),
  })
  return { platformNumber, tables }
}

/**
 * Creates accounts: the rows of each and the mark of its import in one transaction, a statement a table. Parsing and
 * mapping are done before the clock starts, so this is what the database takes.
 */
export const runProcess = (inTransaction: InTransaction, job: LoadJob): Promise<LoadResult> => {
  const bodyFor = stamped(bodyTemplates('stage', job.payload))
  const prepared = Array.from({ length: job.accounts }, (_, at) => prepare(bodyFor(job.firstAccount + at)))
  return closedLoop(job, 1, async (_, index) => {
    const account = prepared[index - job.firstAccount]
    if (account === undefined) throw new Error(`Account ${index} was not prepared`)
    await inTransaction(async (execute) => {
      for (const table of account.tables) await insertRows(execute, table)
      await execute(markCreated, [account.platformNumber, names.supplier, numberOf(index)])
    })
    return { statuses: { 201: 1 } }
  })
}
