import type { Verb } from '../workload/requests.js'

/** What the load generator is told to do. */
export type LoadJob = Readonly<{
  port: number
  token: string
  verb: Verb
  /** Connections, each with one request on its way at a time. */
  clients: number
  /** Accounts are taken from here on, each once. */
  firstAccount: number
  /** Ends with so many accounts, or after so long, whichever comes first. */
  accounts: number
  milliseconds: number
}>

/** What it saw. */
export type LoadResult = Readonly<{
  /** Accounts sent. */
  sent: number
  /** Answers of status 200 or 201. */
  succeeded: number
  /** Other answers, by status. */
  failed: Readonly<Record<string, number>>
  /** The body of the first of these. */
  firstFailure?: string
  seconds: number
  /** Milliseconds within which half and 99 of 100 answers came. */
  p50: number
  p99: number
}>
