import type { ErrorCode } from '@account-import/core'
import type { BulkResultLine, ProblemBody } from '@account-import/http-contract'
import type { Failure } from '../result.js'

/** A line of the source, and how many warnings it got. */
export type LineResult = Readonly<{
  /** Counts the items of the source from 1, blank ones too. */
  line: number
  warningsTotal: number
}>

/** The account is valid, as it would be staged. */
export type ValidLine = LineResult &
  Readonly<{
    outcome: 'done'
    status: 200
    externalAccountNumber: string
    /** The outcome that staging it would have now, or the code of its refusal; absent in answers of older services. */
    staging: BulkResultLine['staging']
    /** Whether an account that exists was created from the same data; absent where nothing is left to compare. */
    sameData: boolean | undefined
  }>

/** The account is staged: 201 for the first time, 200 in place of earlier data. */
export type StagedLine = LineResult &
  Readonly<{ outcome: 'done'; status: 200 | 201; externalAccountNumber: string }>

/** The account was created, or, in a dry run, would have been: then it has no number. */
export type ProcessedLine = LineResult &
  Readonly<{
    outcome: 'done'
    status: 200 | 201
    externalAccountNumber: string
    platformAccountNumber: string | undefined
  }>

/** The service refused this line and went on; `status`, `code` and `problem` are those of the single request. */
export type FailedLine = LineResult &
  Readonly<{
    outcome: 'failed'
    status: number
    code: ErrorCode | 'unknown_code'
    problem: ProblemBody
    /** Absent where the line has none that can be read. */
    externalAccountNumber: string | undefined
  }>

/**
 * The last result where the work did not get to its end: the failure that ended it, after retries. Lines without a
 * result were not done, or their outcome is unknown: the same call may be made again.
 */
export type Stopped = Readonly<{ outcome: 'stopped'; failure: Failure }>

export type BulkResult<Done> = Done | FailedLine | Stopped

/** The counts so far. `failed` counts lines; `received` is all lines with a result. */
export type BulkSummary = Readonly<{
  received: number
  created: number
  updated: number
  valid: number
  failed: number
  /** Every line has its result. */
  complete: boolean
}>

/** Results as they come, to be read once; `summary` counts those that were read. */
export type BulkResults<Done> = AsyncIterable<BulkResult<Done>> & Readonly<{ summary: BulkSummary }>
