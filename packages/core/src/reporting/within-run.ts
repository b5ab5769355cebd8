import { findingsOf, type ImportRun, type InRun, type NamesRun, type RunStep } from '../domain/import-run.js'
import { E, type Either, pipe } from '../fp.js'
import { externalAccountNumber, importSupplierCode } from '../payloads/identifiers.js'
import type { RunOutcome } from '../ports/import-runs.js'
import type { Ports } from '../ports/index.js'
import type { PortFailure, PortResult } from '../ports/port-failure.js'
import { readField } from '../codec/struct.js'
import { type Instant, plusSeconds } from '../values/instant.js'
import type { BulkResult, BulkResults, LineUnreadable } from '../importing/bulk-submissions.js'
import type { Submission } from '../checking/check-payload.js'
import {
  type ProcessingRefused,
  refusalCodes,
  type RunRefused,
  type UseCaseResult,
} from '../checking/errors.js'
import { eachInTurn, inSequence } from '../lists/lists.js'
import { mapped } from '../lists/pages.js'
import type { StagingRefused } from '../importing/stage-accounts.js'

type Refusal = StagingRefused | ProcessingRefused | LineUnreadable

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
  return { code: refusalCodes[refusal._tag], findings: findingsOf('errors' in refusal ? refusal.errors : []) }
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

/** `steps`: failures are stored under the first; an account that was accepted ends its failures of all of them. */
type Steps = readonly [RunStep, ...RunStep[]]

/** Stores the times of a run's latest request and latest progress, each if it is due; the first progress is. */
const timesOf = (importRuns: RunPorts['importRuns'], run: ImportRun) => {
  const { organisation, id, startedAt, latestRequestAt, latestProgressAt } = run
  let requestAt = latestRequestAt
  let progressAt = latestProgressAt > startedAt ? latestProgressAt : undefined
  return async (at: Instant, isProgress: boolean): PortResult<void> => {
    const isProgressDue =
      isProgress && (progressAt === undefined || plusSeconds(progressAt, progressSeconds) <= at)
    if (!isProgressDue && plusSeconds(requestAt, requestSeconds) > at) return E.right(undefined)
    const touched = await importRuns.touch(organisation, id, at, isProgress)
    if (E.isLeft(touched)) return touched
    requestAt = at
    if (isProgress) progressAt = at
    return touched
  }
}

/** Stores the outcomes of the accounts of one request. */
type Recorder = Readonly<{
  run: ImportRun
  /** Stores outcomes; if that fails, the results to be stored fail with it, so that their accounts are sent again. */
  keep<Result extends Readonly<{ outcome: Outcome }>>(
    results: readonly Result[],
    placeOfResult: (result: Result) => Pick<RunOutcome, 'line' | 'externalAccountNumber'>,
  ): Promise<readonly Result[]>
}>

const recorder = ({ clock, importRuns }: RunPorts, [first, ...others]: Steps, run: ImportRun): Recorder => {
  const begunAt = clock.now()
  const touch = timesOf(importRuns, run)
  const record = async (step: RunStep, at: Instant, outcomes: readonly RunOutcome[]): PortResult<void> =>
    outcomes.length === 0
      ? E.right(undefined)
      : importRuns.record({ run: run.id, step, at, begunAt, outcomes })
  /** Ends failures of the further steps, by accounts that were accepted. */
  const endFailures = async (at: Instant, accepted: readonly RunOutcome[]): PortResult<void> =>
    E.map(() => undefined)(
      await eachInTurn(others, (step) =>
        record(
          step,
          at,
          accepted.map((each) => ({ ...each, line: lineOf(step, each.line, each.externalAccountNumber) })),
        ),
      ),
    )
  /** Stores refused outcomes, and if the run or one of the numbers has a failure, accepted ones, which may remove it. */
  const store = async (at: Instant, outcomes: readonly RunOutcome[]) => {
    const accepted = outcomes.filter(({ failure }) => failure === undefined)
    const numbers = outcomes.flatMap(({ externalAccountNumber: number, failure }) =>
      failure === undefined && number !== undefined ? [number] : [],
    )
    // Asked after the outcomes are known: a failure that another request records meanwhile is removed too.
    const found = accepted.length === 0 ? E.right(false) : await importRuns.hasFailures(run, numbers)
    const hasFailures = E.isLeft(found) || found.right
    const refused = outcomes.filter(({ failure }) => failure !== undefined)
    const kept = await inSequence(
      () => touch(at, outcomes.length > 0),
      async () => found,
      () => record(first, at, hasFailures ? outcomes : refused),
      async () => (hasFailures ? endFailures(at, accepted) : E.right(undefined)),
    )
    return { kept, hasFailures }
  }
  return {
    run,
    keep: async (results, placeOfResult) => {
      const outcomes = results
        .filter(({ outcome }) => isFinal(outcome))
        .map((result): RunOutcome => ({ ...placeOfResult(result), failure: failureOf(result.outcome) }))
      const { kept, hasFailures } = await store(clock.now(), outcomes)
      if (E.isRight(kept)) return results
      const isUnkept = (outcome: Outcome): boolean =>
        isFinal(outcome) && (hasFailures || failureOf(outcome) !== undefined)
      return results.map((result) => (isUnkept(result.outcome) ? { ...result, outcome: kept } : result))
    },
  }
}

/** In the data of an account to be staged these fields have no meaning, and staging checks the supplier of each account itself. */
const processFields = (step: RunStep, payload: unknown) =>
  step !== 'process'
    ? undefined
    : {
        isDryRun:
          typeof payload === 'object' && payload !== null && 'dry_run' in payload && payload.dry_run === true,
        supplier: readField(importSupplierCode, payload, 'import_supplier_code'),
      }

/** The run that a request names. Undefined for a request without one, and for a dry run, which belongs to none. */
const namedRun = async (
  ports: RunPorts,
  steps: Steps,
  { organisation, importRun }: Readonly<{ organisation: string }> & NamesRun,
  payload: unknown,
): UseCaseResult<RunRefused, Recorder | undefined> => {
  const fields = processFields(steps[0], payload)
  if (importRun === undefined || fields?.isDryRun === true) return E.right(undefined)
  const found = await ports.importRuns.find(organisation, importRun.id)
  if (E.isLeft(found)) return found
  const run = found.right
  if (run === undefined) return E.left({ _tag: 'ImportRunDoesNotExist' })
  if (run.finishedAt !== undefined) return E.left({ _tag: 'ImportRunFinished' })
  // A run takes only accounts of its own supplier.
  return fields?.supplier !== undefined && fields.supplier !== run.importSupplier
    ? E.left({ _tag: 'ImportRunDoesNotExist' })
    : E.right(recorder(ports, steps, run))
}

/** A use case of one account that stores its outcome on the run that the request names. */
export const withinRun =
  (ports: RunPorts, step: RunStep) =>
  <Refused extends Refusal, A>(
    useCase: (submission: Submission & InRun) => UseCaseResult<Refused, A>,
  ): ((submission: Submission & NamesRun) => UseCaseResult<Refused | RunRefused, A>) =>
  async (submission) => {
    const { importRun, payload } = submission
    const named = await namedRun(ports, [step], submission, payload)
    if (E.isLeft(named)) return named
    if (named.right === undefined) return useCase(submission)
    const { keep, run } = named.right
    const number = readField(externalAccountNumber, payload, 'external_account_number')
    const place = { line: lineOf(step, importRun?.firstLine, number), externalAccountNumber: number }
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
    const named = await namedRun(ports, [step, ...others], sent, 'payload' in sent ? sent.payload : undefined)
    if (E.isLeft(named)) return named
    if (named.right === undefined) return useCase(sent)
    const { keep, run } = named.right
    const linesBefore = (sent.importRun?.firstLine ?? 1) - 1
    const placeOfResult = ({ line, externalAccountNumber: number }: BulkResult<LineRefused, A>) => ({
      line: lineOf(step, linesBefore + line, number),
      externalAccountNumber: number,
    })
    return pipe(
      await useCase({ ...sent, run }),
      E.map((results) => mapped(results, (page) => keep(page, placeOfResult))),
    )
  }
