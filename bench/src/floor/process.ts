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

/** The number that an account gets on the platform. */
const platformNumberOf = (index: number): string => `A-${String(index).padStart(12, '0')}`

const sqlNow = (): string => new Date().toISOString().slice(0, 23).replace('T', ' ')

/**
 * Creates accounts: the rows of each and the mark of its import in one transaction, a statement a table. Parsing and
 * mapping are done before the clock starts, so this is what the database takes.
 */
export const runProcess = (inTransaction: InTransaction, job: LoadJob): Promise<LoadResult> => {
  const bodyFor = stamped(bodyTemplates('stage', job.payload))
  const prepared: readonly (readonly TableRows[])[] = Array.from({ length: job.accounts }, (_, at) => {
    const index = job.firstAccount + at
    return accountRows(JSON.parse(bodyFor(index).toString()) as AccountPayload, {
      organisation: names.organisation,
      platformAccountNumber: platformNumberOf(index),
      operationsTeam: names.team,
      stagedVersion: 1,
      now: sqlNow(),
    })
  })
  return closedLoop(job, 1, async (_, index) => {
    await inTransaction(async (execute) => {
      for (const table of prepared[index - job.firstAccount] ?? []) await insertRows(execute, table)
      await execute(markCreated, [platformNumberOf(index), names.supplier, numberOf(index)])
    })
    return { statuses: { 201: 1 } }
  })
}
