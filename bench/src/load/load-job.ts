import type { PayloadKind } from '../workload/payload-kind.js'
import type { Verb } from '../workload/verbs.js'

/** What the load generator is told to do, or a floor that needs no requests. */
export type LoadJob = Readonly<{
  port: number
  token: string
  verb: Verb
  payload: PayloadKind
  /** Requests on their way at a time, each on a connection of its own. */
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
  /** Accounts answered with status 200 or 201. */
  succeeded: number
  /** Other answers, by status. */
  failed: Readonly<Record<string, number>>
  /** The first of these. */
  firstFailure?: string
  seconds: number
  /** Milliseconds within which half and 99 of 100 requests were answered. */
  p50: number
  p99: number
  /** What the sending process itself used of the processors, milliseconds for each account. */
  senderCpu: number
}>
