import type { LoadResult } from '../load/load-job.js'

/** One run against one system; processor times are milliseconds for each account. */
export type Measured = LoadResult &
  Readonly<{
    /** Accounts a second, those that were refused left out. */
    rate: number
    /** Deadlocks and lock timeouts inside the database: each is a retry of the server's, or an error. */
    brokenOff: number | undefined
    serverCpu: number | undefined
    databaseCpu: number | undefined
  }>
