import type { LoadResult } from '../load/load-job.js'

/** One run against one system. */
export type Measured = LoadResult &
  Readonly<{
    /** Successful requests a second. */
    rate: number
    /** Deadlocks and lock timeouts inside the database: each is a retry of the server's, or an error. */
    brokenOff: number
    /** What the server used of the processors for each request, milliseconds. */
    serverCpu: number | undefined
    /** The same for the database. */
    databaseCpu: number | undefined
  }>
