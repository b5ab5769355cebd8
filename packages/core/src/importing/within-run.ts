import type { ErrorCode } from '../catalogue/index.js'
import {
  findingsOf,
  type ImportRun,
  type InRun,
  type NamesRun,
  type RunReference,
  type RunStep,
} from '../domain/import-run.js'
import { E, type Either, pipe } from '../fp.js'
import { externalAccountNumber, importSupplierCode } from '../payloads/identifiers.js'
import type { RunOutcome } from '../ports/import-runs.js'
import type { Ports } from '../ports/index.js'
import type { PortFailure, PortResult } from '../ports/port-failure.js'
import { readField } from '../codec/struct.js'
import { type Instant, plusSeconds } from '../values/instant.js'
import type { BulkResult, BulkResults, LineUnreadable } from './bulk-submissions.js'
import type { Submission } from '../checking/check-payload.js'
import type { ProcessingRefused, RunRefused, UseCaseResult } from '../checking/errors.js'
import { eachInTurn, inSequence } from '../lists/lists.js'
import { mapped } from '../lists/pages.js'
import type { StagingRefused } from './stage-accounts.js'

type Refusal = StagingRefused | ProcessingRefused | LineUnreadable

const codes: Readonly<Record<Refusal['_tag'], ErrorCode>> = {
  AccountFailedValidation: 'account_failed_validation',
  RequestFailedValidation: 'request_failed_validation',
  AccountAlreadyImported: 'account_already_imported',
  AccountImportInProgress: 'account_import_in_progress',
  AccountProcessedElsewhere: 'account_import_in_progress',
  AccountMarkedToSkip: 'account_marked_to_skip',
  SupplierNotOngoing: 'import_supplier_migration_not_ongoing',
  ImportRunDoesNotExist: 'import_run_does_not_exist',
  NothingStaged: 'import_process_does_not_exist',
  OperationsTeamDoesNotExist: 'operations_team_name_does_not_exist',
  DryRunSucceeded: 'dry_run_succeeded',
  ConcurrencyLimitReached: 'concurrency_limit_reached',
  ClaimLost: 'account_import_in_progress',
  NotUtf8: 'invalid_encoding',
  NotJson: 'parse_error',
  PayloadTooDeep: 'payload_too_deep',
  PayloadTooLarge: 'payload_too_large',
}

/** A failure of a port, a refusal with a time to retry, and a dry run say nothing about the next attempt. */
const isPermanent = (refusal: Refusal | PortFailure): refusal is Refusal =>
  refusal._tag !== 'PortFailure' && refusal._tag !== 'DryRunSucceeded' && !('retryAfterSeconds' in refusal)

type Outcome = Either<Refusal | PortFailure, unknown>

/**
 * The failure that a run keeps of an outcome; `undefined` for an account that was accepted. An existing account counts as
 * accepted, as a resumed run sends it again, unless it was created from other data.
 */
const failureOf = (outcome: Outcome): RunOutcome['failure'] => {
  if (outcome._tag === 'Right' || !isPermanent(outcome.left)) return undefined
  const refusal = outcome.left
  if (refusal._tag === 'AccountAlreadyImported' && refusal.sameData !== false) return undefined
  return { code: codes[refusal._tag], findings: findingsOf('errors' in refusal ? refusal.errors : []) }
}

/** Whether the outcome is final: other outcomes change no failure. */
const isFinal = (outcome: Outcome): boolean => outcome._tag === 'Right' || isPermanent(outcome.left)

/** Seconds for which the time of a run's latest request, and that of its latest progress, is not stored again. */
const requestSeconds = 60
const progressSeconds = 5

/**
 * The line of an outcome. An account is processed once, wherever its line is: its number alone names the failure, which any later
 * request to process it ends.
 */
const lineOf = (step: RunStep, line: number | undefined, number: string | undefined): number | undefined =>
  step === 'stage' || number === undefined ? line : undefined

type RunPorts = Pick<Ports, 'clock' | 'importRuns'>

/** Stores the outcomes of the accounts of one request. */
type Recorder = Readonly<{
  run: ImportRun
  /** Stores outcomes; if that fails, the results to be stored fail with it, so that their accounts are sent again. */
  keep<Result extends Readonly<{ outcome: Outcome }>>(
    results: readonly Result[],
    placeOfResult: (result: Result) => Pick<RunOutcome, 'line' | 'externalAccountNumber'>,
  ): Promise<readonly Result[]>
}>

/** `steps`: failures are stored under the first; an account that was accepted ends its failures of all of them. */
type Steps = readonly [RunStep, ...RunStep[]]

const recorder = ({ clock, importRuns }: RunPorts, [step, ...others]: Steps, run: ImportRun): Recorder => {
  const begunAt = clock.now()
  let touchedAt: Instant = run.latestRequestAt
  // The first progress is stored at once.
  let progressAt: Instant | undefined =
    run.latestProgressAt > run.startedAt ? run.latestProgressAt : undefined
  const isDue = (last: Instant | undefined, seconds: number, at: Instant): boolean =>
    last === undefined || plusSeconds(last, seconds) <= at
  const touch = async (at: Instant, isProgress: boolean): PortResult<void> => {
    const isAnyDue =
      (isProgress && isDue(progressAt, progressSeconds, at)) || isDue(touchedAt, requestSeconds, at)
    if (!isAnyDue) return E.right(undefined)
    const touched = await importRuns.touch(run.organisation, run.id, at, isProgress)
    if (E.isLeft(touched)) return touched
    touchedAt = at
    if (isProgress) progressAt = at
    return touched
  }
  // Asked after the outcomes are known: a failure that another request records meanwhile is removed too.
  const findFailures = (outcomes: readonly RunOutcome[]): PortResult<boolean> =>
    importRuns.hasFailures(
      run,
      outcomes.flatMap(({ externalAccountNumber: number, failure }) =>
        failure === undefined && number !== undefined ? [number] : [],
      ),
    )
  const record = async (
    at: Instant,
    outcomes: readonly RunOutcome[],
    under: RunStep = step,
  ): PortResult<void> =>
    outcomes.length === 0
      ? E.right(undefined)
      : importRuns.record({ run: run.id, step: under, at, begunAt, outcomes })
  const endFailures = async (at: Instant, outcomes: readonly RunOutcome[]): PortResult<void> => {
    const accepted = outcomes.filter(({ failure }) => failure === undefined)
    const ended = await eachInTurn(others, (other) => {
      const places = accepted.map(({ line, externalAccountNumber: number }) => ({
        line: lineOf(other, line, number),
        externalAccountNumber: number,
        failure: undefined,
      }))
      return record(at, places, other)
    })
    return E.map(() => undefined)(ended)
  }
  /** Stores refused outcomes, and if the run or one of the numbers has a failure, accepted ones, which may remove it. */
  const stored = async (
    at: Instant,
    outcomes: readonly RunOutcome[],
  ): Promise<Readonly<{ kept: Either<PortFailure, void>; hasFailures: boolean }>> => {
    const refused = outcomes.filter(({ failure }) => failure !== undefined)
    const found = refused.length === outcomes.length ? E.right(false) : await findFailures(outcomes)
    const hasFailures = E.isLeft(found) || found.right
    const kept = await inSequence(
      () => touch(at, outcomes.length > 0),
      async () => found,
      () => record(at, hasFailures ? outcomes : refused),
      async () => (hasFailures ? endFailures(at, outcomes) : E.right(undefined)),
    )
    return { kept, hasFailures }
  }
  return {
    run,
    keep: async (results, placeOfResult) => {
      const outcomes = results
        .filter(({ outcome }) => isFinal(outcome))
        .map((result): RunOutcome => ({ ...placeOfResult(result), failure: failureOf(result.outcome) }))
      const { kept, hasFailures: has } = await stored(clock.now(), outcomes)
      if (E.isRight(kept)) return results
      const isUnkept = (outcome: Outcome): boolean =>
        isFinal(outcome) && (has || failureOf(outcome) !== undefined)
      return results.map((result) => (isUnkept(result.outcome) ? { ...result, outcome: kept } : result))
    },
  }
}

const openedRun = async (
  ports: RunPorts,
  steps: Steps,
  organisation: string,
  { id }: RunReference,
): UseCaseResult<RunRefused, Recorder> => {
  const run = await ports.importRuns.find(organisation, id)
  if (E.isLeft(run)) return run
  if (run.right === undefined) return E.left({ _tag: 'ImportRunDoesNotExist' })
  return run.right.finishedAt === undefined
    ? E.right(recorder(ports, steps, run.right))
    : E.left({ _tag: 'ImportRunFinished' })
}

/** The supplier that a request to process names; undefined if it cannot be read. */
const processedSupplier = (payload: unknown): string | undefined =>
  readField(importSupplierCode, payload, 'import_supplier_code')

/** Only for processing: in the data of an account a field `dry_run` has no meaning. */
const isDryRun = (step: RunStep, payload: unknown): boolean =>
  step === 'process' &&
  typeof payload === 'object' &&
  payload !== null &&
  'dry_run' in payload &&
  payload.dry_run === true

/** A run takes only accounts of its own supplier. Staging checks the supplier of each account itself. */
const isOfOtherSupplier = (step: RunStep, payload: unknown, run: ImportRun): boolean => {
  if (step !== 'process') return false
  const supplier = processedSupplier(payload)
  return supplier !== undefined && supplier !== run.importSupplier
}

/** A use case of one account that stores its outcome on the run that the request names. A dry run belongs to no run. */
export const withinRun =
  (ports: RunPorts, step: RunStep) =>
  <Refused extends Refusal, A>(
    useCase: (submission: Submission & InRun) => UseCaseResult<Refused, A>,
  ): ((submission: Submission & NamesRun) => UseCaseResult<Refused | RunRefused, A>) =>
  async (submission) => {
    const { importRun, organisation, payload } = submission
    if (importRun === undefined || isDryRun(step, payload)) return useCase(submission)
    const opened = await openedRun(ports, [step], organisation, importRun)
    if (E.isLeft(opened)) return opened
    const { keep, run } = opened.right
    if (isOfOtherSupplier(step, payload, run)) return E.left({ _tag: 'ImportRunDoesNotExist' })
    const number = readField(externalAccountNumber, payload, 'external_account_number')
    const place = { line: lineOf(step, importRun.firstLine, number), externalAccountNumber: number }
    const outcome = await useCase({ ...submission, run })
    const [kept] = await keep([{ outcome }], () => place)
    return kept?.outcome as typeof outcome
  }

/** `withinRun` for the use cases of many accounts. `others`: the further steps that such a use case does. */
export const bulkWithinRun =
  (ports: RunPorts, step: RunStep, ...others: readonly RunStep[]) =>
  <Sent extends Readonly<{ organisation: string }>, Refused, LineRefused extends Refusal, A>(
    useCase: (sent: Sent & InRun) => UseCaseResult<Refused, BulkResults<LineRefused, A>>,
  ): ((sent: Sent & NamesRun & InRun) => UseCaseResult<Refused | RunRefused, BulkResults<LineRefused, A>>) =>
  async (sent) => {
    const { importRun, organisation } = sent
    const payload = 'payload' in sent ? sent.payload : undefined
    if (importRun === undefined || isDryRun(step, payload)) return useCase(sent)
    const { firstLine = 1 } = importRun
    const placeOfResult = ({ line, externalAccountNumber: number }: BulkResult<LineRefused, A>) => ({
      line: lineOf(step, firstLine - 1 + line, number),
      externalAccountNumber: number,
    })
    const opened = await openedRun(ports, [step, ...others], organisation, importRun)
    if (E.isLeft(opened)) return opened
    const { keep, run } = opened.right
    if (isOfOtherSupplier(step, payload, run)) return E.left({ _tag: 'ImportRunDoesNotExist' })
    return pipe(
      await useCase({ ...sent, run }),
      E.map((results) => mapped(results, (page) => keep(page, placeOfResult))),
    )
  }
