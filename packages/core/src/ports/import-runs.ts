import type {
  FailurePlace,
  ImportRun,
  OpenFailure,
  OpenPlace,
  RunCounts,
  RunError,
  RunFailure,
  RunFinding,
  RunStep,
  RunTotals,
} from '../domain/import-run.js'
import type { Actor } from '../domain/audit-entry.js'
import type { Instant } from '../values/instant.js'
import type { PortResult } from './port-failure.js'

/** The outcome of an account of a run: refused if there is a `failure`. No two of a list have the same line and number. */
export type RunOutcome = Readonly<{
  line: number | undefined
  externalAccountNumber: string | undefined
  failure: Readonly<{ code: string; findings: readonly RunFinding[] }> | undefined
}>

export type RecordRequest = Readonly<{
  run: string
  step: RunStep
  at: Instant
  /** When the request began whose outcomes they are; `at` when absent. */
  begunAt?: Instant | undefined
  /** 1 to 1000, all with a line or a number. */
  outcomes: readonly RunOutcome[]
}>

export type SupplierOfRuns = Pick<ImportRun, 'organisation' | 'importSupplier'>

/** Latest first. */
export type RunsPageRequest = Readonly<{
  organisation: string
  /** Only runs of this supplier. */
  importSupplier?: string | undefined
  /** Only runs after this one. */
  after: Pick<ImportRun, 'id' | 'startedAt'> | undefined
  /** 1 to 1001. */
  limit: number
}>

export type RunFailuresRequest = Readonly<{
  run: string
  /** Only failures with this error: as many as `counts` counts for it. */
  error?: RunError | undefined
  after: FailurePlace | undefined
  /** 1 to 1001. */
  limit: number
}>

/**
 * The runs of all organisations, with their failures. A change of a run and the deliveries of its event, one for each webhook
 * that has the event (`deliveriesOf`), are stored atomically.
 */
export interface ImportRuns {
  /**
   * Stores a new run, which is the event `run.started`. If an unfinished run of the same supplier and source exists, returns that
   * one instead, also if two are opened concurrently, and stores a request at `startedAt`, which is no progress.
   */
  open(run: ImportRun): PortResult<ImportRun>

  find(organisation: string, id: string): PortResult<ImportRun | undefined>

  /**
   * Stores that a request named the run at this instant, and whether that was progress (`namedAt`). If the failures of the run
   * were removed, new ones become due for removal again.
   */
  touch(organisation: string, id: string, at: Instant, isProgress: boolean): PortResult<void>

  /**
   * Finishes the run, and stores its totals, which is the event `run.finished`; a finished run is not changed. Undefined if there is
   * no such run.
   */
  finish(organisation: string, id: string, at: Instant): PortResult<ImportRun | undefined>

  /**
   * Makes the event `run.interrupted` or `run.stalled` for up to `limit` (1 to 1000) runs with a standstill (`standstillOf`),
   * once for each standstill, and returns the number of events. The cost depends on the limit alone.
   */
  noteStandstills(before: Instant, limit: number): PortResult<number>

  page(request: RunsPageRequest): PortResult<readonly ImportRun[]>

  /**
   * Stores failures in place of those of the same step, line and number; removes the failure of an account that was accepted.
   * Makes each failure the open failure of its number; ends those of accepted accounts that were recorded up to `begunAt`, but
   * an account that was accepted in processing ends none of its staging. Atomic.
   */
  record(request: RecordRequest): PortResult<void>

  /** Whether accepted accounts with these numbers (at most 1000) may end a failure: one of the run, or an open one of a number. */
  hasFailures(run: ImportRun, externalAccountNumbers: readonly string[]): PortResult<boolean>

  /** The open failures of a supplier in the order of their places. The cost does not depend on the position of the page. */
  openFailures(
    request: SupplierOfRuns & Readonly<{ after: OpenPlace | undefined; /** 1 to 1001. */ limit: number }>,
  ): PortResult<readonly OpenFailure[]>

  openFailureCounts(supplier: SupplierOfRuns): PortResult<Readonly<Record<RunStep, number>>>

  /** Ends open failures, each with an event `failure_dismissed`, and returns how many of the places had one. Atomic. */
  dismissFailures(
    request: SupplierOfRuns &
      Readonly<{ places: readonly OpenPlace[]; reason: string; at: Instant; by: Actor | undefined }>,
  ): PortResult<number>

  /** In the order of their places. The cost does not depend on the position of the page. */
  failures(request: RunFailuresRequest): PortResult<readonly RunFailure[]>

  counts(run: ImportRun): PortResult<RunCounts>

  /**
   * The present totals of up to 1000 runs of one organisation, in their order. The cost is a read of an index for each of their
   * accounts, so a list asks only for unfinished runs.
   */
  totals(runs: readonly ImportRun[]): PortResult<readonly RunTotals[]>

  /** The numbers of the accounts that the run created, in order by Unicode code point. */
  createdAccounts(
    request: Readonly<{
      organisation: string
      importSupplier: string
      run: string
      /** Only numbers after this one. */
      after: string | undefined
      /** 1 to 1001. */
      limit: number
    }>,
  ): PortResult<readonly string[]>

  /**
   * Removes up to `limit` failures of a supplier's runs whose latest request was at `until` or before, and returns how many.
   * They are no longer open.
   * After the last one of a run, stores `at` as its `failuresRemovedAt`.
   */
  removeFailures(
    request: Readonly<{
      organisation: string
      importSupplier: string
      until: Instant
      at: Instant
      /** 1 to 1000. */
      limit: number
    }>,
  ): PortResult<number>
}
