import type { Pool } from 'mysql2'
import { closedLoop } from '../load/closed-loop.js'
import type { LoadJob, LoadResult } from '../load/load-job.js'
import { bodyTemplates, stamped } from '../workload/bodies.js'
import { names, numberOf } from '../workload/names.js'
import { upsertImports } from './imports-table.js'

/** Rows of one statement, as long as their bytes allow it. */
const mostRows = 500
const mostBytes = 4_000_000

const middleSize = (templates: readonly string[]): number =>
  templates.reduce((sum, template) => sum + template.length, 0) / templates.length

/** Stages accounts as they are, as many a statement as is good for the database. */
export const runBulkStage = (pool: Pool, job: LoadJob): Promise<LoadResult> => {
  const templates = bodyTemplates('stage', job.payload)
  const bodyFor = stamped(templates)
  const rows = Math.max(1, Math.min(mostRows, Math.floor(mostBytes / middleSize(templates))))
  const stage = (first: number, accounts: number): Promise<void> => {
    const values = Array.from({ length: accounts }, (_, at) => [
      names.supplier,
      numberOf(first + at),
      bodyFor(first + at),
    ])
    return new Promise((resolve, reject) => {
      pool.execute(upsertImports(accounts), values.flat(), (error) =>
        error === null ? resolve() : reject(error),
      )
    })
  }
  return closedLoop(job, rows, async (_, first, accounts) => {
    await stage(first, accounts)
    return { statuses: { 201: accounts } }
  })
}
