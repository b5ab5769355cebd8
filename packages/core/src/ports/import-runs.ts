import type {
  FailurePlace,
  ImportRun,
  RunCounts,
  RunFailure,
  RunFinding,
  RunStep,
} from '../domain/import-run.js'
import type { Instant } from '../values/instant.js'
import type { PortResult } from './port-failure.js'

/** An account of a run that was answered: refused where there is a failure. No two of a list have the same line and number. */
export type RunOutcome = Readonly<{
  line: number | undefined
  externalAccountNumber: string | undefined
  failure: Readonly<{ code: string; findings: readonly RunFinding[] }> | undefined
}>

export type RecordRequest = Readonly<{
  run: string
  step: RunStep
  at: Instant
  /** 1 to 1000, all with a line or a number. */
  outcomes: readonly RunOutcome[]
}>

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
  after: FailurePlace | undefined
  /** 1 to 1001. */
  limit: number
}>

export type RunAccountsRequest = Readonly<{
  organisation: string
  importSupplier: string
  run: string
  /** Only numbers after this one. */
  after: string | undefined
  /** 1 to 1001. */
  limit: number
}>

/**
 * The runs of all organisations, with the accounts that they were refused. A change of a run and the deliveries of its event, one for
 * each webhook that wants it (`deliveriesOf`), are kept together or not at all.
 */
export interface ImportRuns {
  /**
   * Keeps a new run, which is the event `run.started`. If one of the same supplier with the same source is not finished, that one goes on instead, also where two
   * are opened at the same moment: it is the answer, with a request at `startedAt`, which is no progress.
   */
  open(run: ImportRun): PortResult<ImportRun>

  find(organisation: string, id: string): PortResult<ImportRun | undefined>

  /**
   * Keeps that a request named the run at this instant, and whether that was progress (`namedAt`). Failures of the run that were
   * removed are due again from then on.
   */
  touch(organisation: string, id: string, at: Instant, isProgress: boolean): PortResult<void>

  /** Finishes the run, which is the event `run.finished`; one that is finished stays as it is. Undefined where there is no such run. */
  finish(organisation: string, id: string, at: Instant): PortResult<ImportRun | undefined>

  /**
   * Makes `run.interrupted` or `run.stalled` of up to `limit` (1 to 1000) runs that are not finished and stand still (`standstillOf`),
   * once for each time that they do, and says of how many. Cost depends on the limit alone.
   */
  noteStandstills(before: Instant, limit: number): PortResult<number>

  page(request: RunsPageRequest): PortResult<readonly ImportRun[]>

  /**
   * Keeps failures, in place of those of the same step, line and number; the failure of an account that was not refused this time
   * is removed. All of it or nothing.
   */
  record(request: RecordRequest): PortResult<void>

  /** In the order of their places. Cost does not depend on where the page lies. */
  failures(request: RunFailuresRequest): PortResult<readonly RunFailure[]>

  counts(run: Pick<ImportRun, 'id' | 'organisation' | 'importSupplier'>): PortResult<RunCounts>

  /** The numbers of the accounts that the run created, in order by Unicode code point. */
  createdAccounts(request: RunAccountsRequest): PortResult<readonly string[]>

  /**
   * Removes failures of a supplier's runs whose latest request came by then, some at a time, and says how many. A run keeps
   * since when they are gone once all are.
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
