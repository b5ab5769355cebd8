import type { AddressInfo } from 'node:net'
import { answerJobs } from '../load/answer-jobs.js'
import type { LoadJob, LoadResult } from '../load/load-job.js'
import { setting } from '../children/setting.js'
import { runBulkStage } from './bulk-stage.js'
import { openPool, transactionsOn } from './database.js'
import { floorServer } from './http-server.js'
import { createImportsTable } from './imports-table.js'
import { runProcess } from './process.js'
import { runTransactions } from './transactions.js'

// What is compared with, written by hand: over HTTP for single requests, straight on the database for the rest.

const httpPool = openPool(setting('BENCH_DATABASE_URL'), Number(setting('BENCH_POOL')))
// More connections than these wait for each other inside the database.
const jobPool = openPool(setting('BENCH_DATABASE_URL'), 16)
const inTransaction = transactionsOn(jobPool)

const run = (job: LoadJob): Promise<LoadResult> => {
  if (job.verb === 'process') return runProcess(inTransaction, job)
  if (job.verb === 'transactions') return runTransactions(inTransaction, job)
  return runBulkStage(jobPool, job)
}

answerJobs(run)
await jobPool.promise().query(createImportsTable)
const server = floorServer(httpPool).listen(0, '127.0.0.1', () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
)
