import { type Actor, type AuditEntry, unnamedActor } from './audit-entry.js'
import { compareCodePoints } from '../values/compare.js'
import { type Instant, millisecondsOf, plusSeconds } from '../values/instant.js'

/** Counts of the accounts of a run that a list shows. */
export type RunTotals = Readonly<{
  /** Accounts that the run created, including undone ones. */
  created: number
  /** Refused accounts, and unreadable lines, that were not accepted since. */
  refused: number
}>

/** One import of a supplier's accounts, usually of one file, over any number of requests and attempts. */
export type ImportRun = Readonly<{
  /** Letters and digits, at most 22. */
  id: string
  organisation: string
  importSupplier: string
  /** For people. */
  label: string | undefined
  /**
   * The file that it sends: its name without folders, its SHA-256 as 64 lower-case hexadecimal digits, and the number of its accounts,
   * from 1 to 2^31 - 1, where the request that opened the run named it. Name and SHA-256 alone tell files apart.
   */
  source: Readonly<{ name: string; sha256: string; accounts?: number | undefined }> | undefined
  /** The actor that opened it, as in the audit log. */
  startedBy: string
  startedAt: Instant
  /** The time of the latest request that named it, or up to a minute earlier. */
  latestRequestAt: Instant
  /**
   * The latest time, or up to 5 seconds earlier, at which one of its accounts was accepted or permanently refused; the time at
   * which the run began, or resumed after an interruption, if that is later.
   */
  latestProgressAt: Instant
  finishedAt: Instant | undefined
  /**
   * The accounts that it created, and that were undone since; undefined as long as there is none. `latestBy`: the actor of the latest
   * undo, as in the audit log.
   */
  undone: Readonly<{ count: number; latestAt: Instant; latestBy: string }> | undefined
  /** Its totals at its end: what happens later does not change them. Undefined for an unfinished run. */
  totals: RunTotals | undefined
  /**
   * When its failures were removed, after the supplier's retention days; undefined again after the next request that names it.
   */
  failuresRemovedAt: Instant | undefined
}>

/** The run that a request names. `firstLine`: the number of the request's first line in the source, 1 when absent. */
export type RunReference = Readonly<{ id: string; firstLine?: number | undefined }>

/** A request that may name a run. */
export type NamesRun = Readonly<{ importRun?: RunReference | undefined }>

/** The unfinished run that a request named, after it was found. */
export type InRun = Readonly<{ run?: Pick<ImportRun, 'id' | 'importSupplier'> | undefined }>

/**
 * `interrupted`: no request named it for ten minutes; the next such request makes it `running` again. `undone`: all accounts that
 * it created were undone, and no request named it since; `partly_undone`: some of them.
 */
export const runStates = ['running', 'interrupted', 'finished', 'undone', 'partly_undone'] as const
export type RunState = (typeof runStates)[number]

/** Seconds without a request after which a run is interrupted, and without progress after which it is stalled. */
export const interruptedAfterSeconds = 600

export const runStateAt = (
  { finishedAt, latestRequestAt, undone }: Pick<ImportRun, 'finishedAt' | 'latestRequestAt' | 'undone'>,
  { created }: Pick<RunTotals, 'created'>,
  now: Instant,
): RunState => {
  if (undone !== undefined && (finishedAt !== undefined || latestRequestAt <= undone.latestAt))
    return undone.count < created ? 'partly_undone' : 'undone'
  if (finishedAt !== undefined) return 'finished'
  return plusSeconds(latestRequestAt, interruptedAfterSeconds) < now ? 'interrupted' : 'running'
}

/** The run after a request named it; `isProgress`: an account was accepted or permanently refused. Times never decrease. */
export const namedAt = (run: ImportRun, at: Instant, isProgress: boolean): ImportRun => {
  if (run.finishedAt !== undefined || at <= (isProgress ? run.latestProgressAt : run.latestRequestAt))
    return run
  const isResumed = plusSeconds(run.latestRequestAt, interruptedAfterSeconds) < at
  return {
    ...run,
    latestRequestAt: at > run.latestRequestAt ? at : run.latestRequestAt,
    latestProgressAt: isProgress || isResumed ? at : run.latestProgressAt,
    // The request may add failures, which are due for removal again.
    failuresRemovedAt: undefined,
  }
}

/** The step of an import in which an account was refused. */
export const runSteps = ['stage', 'process'] as const
export type RunStep = (typeof runSteps)[number]

/**
 * An error of a refused account. `field`: its path for all items of lists, such as `customers[].email`, empty if it concerns no
 * field; `attr`: the path of the first value that has it; `times`: the number of values that have it.
 */
export type RunFinding = Readonly<{ code: string; field: string; attr: string; times: number }>

/**
 * An account that was refused, and was not accepted since in the same step by the same line and number. It contains no value of
 * the payload except the number.
 */
export type RunFailure = Readonly<{
  step: RunStep
  /** The number of the line in the source, from 1; undefined if the request did not contain it. */
  line: number | undefined
  /** Undefined if it could not be read. */
  externalAccountNumber: string | undefined
  /** The code of the refusal. */
  code: string
  /** At most 20, each of another code or field; empty for a code without findings. */
  findings: readonly RunFinding[]
  failedAt: Instant
}>

/** The failures that `counts.errors` counts as one: with a finding of this code and field, or without findings and with this code. */
export type RunError = Readonly<{
  step: RunStep
  code: string
  /** Empty if it concerns no field. */
  field: string
}>

/** The order of failures: by step, line (0 if there is none) and number (empty if it could not be read). */
export type FailurePlace = Readonly<{ step: RunStep; line: number; externalAccountNumber: string }>

export const placeOf = ({
  step,
  line = 0,
  externalAccountNumber = '',
}: Pick<RunFailure, 'step' | 'line' | 'externalAccountNumber'>): FailurePlace => ({
  step,
  line,
  externalAccountNumber,
})

/** A failure of any run that is open: its number was neither staged nor created since, and no person dismissed it. */
export type OpenFailure = RunFailure & Readonly<{ importRun: string }>

/**
 * The order of the open failures of a supplier. A number has one, its latest; a line without a readable number has an empty one,
 * and in `line` its run and its number in the source, separated by a blank.
 */
export type OpenPlace = Readonly<{ externalAccountNumber: string; line: string }>

export const openPlaceOf = (
  run: string,
  { line = 0, externalAccountNumber = '' }: Partial<Pick<RunFailure, 'line' | 'externalAccountNumber'>>,
): OpenPlace => ({ externalAccountNumber, line: externalAccountNumber === '' ? `${run} ${line}` : '' })

/** The audit event of a failure that a person dismissed. */
export const dismissalOf = (
  { organisation, importSupplier }: Pick<ImportRun, 'organisation' | 'importSupplier'>,
  { externalAccountNumber, line }: OpenPlace,
  { at, by = unnamedActor, reason }: Readonly<{ at: Instant; by: Actor | undefined; reason: string }>,
): AuditEntry => ({
  organisation,
  importSupplier,
  externalAccountNumber: externalAccountNumber || undefined,
  at,
  what: 'failure_dismissed',
  by,
  subject: line === '' ? reason : `line ${line}: ${reason}`,
})

/** The state that an import has reached: a failure is open as long as this is as it was when the failure was recorded. */
export type Reached = Readonly<{ stagedVersion: number; isCreated: boolean }>

export const isStillOpen = (recorded: Reached, now: Reached): boolean =>
  recorded.stagedVersion === now.stagedVersion && (recorded.isCreated || !now.isCreated)

/** The run after `count` accounts that it created were undone. */
export const undoneAt = (run: ImportRun, count: number, at: Instant, by: string): ImportRun => ({
  ...run,
  undone: {
    count: (run.undone?.count ?? 0) + count,
    latestAt: run.undone !== undefined && run.undone.latestAt > at ? run.undone.latestAt : at,
    latestBy: by,
  },
})

/** Whole seconds from the beginning of a run to its end, to now if it is running, otherwise to its latest request. */
export const secondsOf = (
  { startedAt, finishedAt, latestRequestAt }: ImportRun,
  state: RunState,
  now: Instant,
): number => {
  const end = finishedAt ?? (state === 'running' ? now : latestRequestAt)
  return Math.max(0, Math.round((millisecondsOf(end) - millisecondsOf(startedAt)) / 1000))
}

/** Counts of the accounts of a run. */
export type RunCounts = Readonly<{
  /** Accounts whose latest staged data is of the run, including created and undone ones. */
  staged: number
  /** Accounts that the run created, including undone ones. */
  created: number
  failed: Readonly<Record<RunStep, number>>
  /** The number of accounts for each code and field: the most frequent first, at most 20. */
  errors: readonly (RunError & Readonly<{ count: number }>)[]
}>

/** The order of failures. */
export const comparePlaces = (a: FailurePlace, b: FailurePlace): number =>
  compareCodePoints(a.step, b.step) ||
  a.line - b.line ||
  compareCodePoints(a.externalAccountNumber, b.externalAccountNumber)

/** The order of runs: the latest first. */
export const compareRuns = (
  a: Pick<ImportRun, 'id' | 'startedAt'>,
  b: Pick<ImportRun, 'id' | 'startedAt'>,
): number => compareCodePoints(b.startedAt, a.startedAt) || compareCodePoints(b.id, a.id)

const mostErrors = 20

/** The errors of a failure. One without findings has its code, in no field. */
export const errorsOfFailure = ({ step, code: reason, findings }: RunFailure): readonly RunError[] =>
  (findings.length === 0 ? [{ code: reason, field: '' }] : findings).map(({ code, field }) => ({
    step,
    code,
    field,
  }))

/** The most frequent errors of failures. */
export const runErrors = (failures: Iterable<RunFailure>): RunCounts['errors'] => {
  const counted = new Map<string, RunCounts['errors'][number]>()
  for (const failure of failures)
    for (const { step, code, field } of errorsOfFailure(failure)) {
      const name = `${step} ${code} ${field}`
      counted.set(name, { step, code, field, count: (counted.get(name)?.count ?? 0) + 1 })
    }
  return [...counted.values()]
    .sort(
      (a, b) =>
        b.count - a.count ||
        compareCodePoints(a.step, b.step) ||
        compareCodePoints(a.code, b.code) ||
        compareCodePoints(a.field, b.field),
    )
    .slice(0, mostErrors)
}

const mostFindings = 20

/** Longer paths are cut: keys of free objects may have any length. */
const longestPath = 255

const indexes = /(^|\.)\d+(?=\.|$)/g

/** The path of a field for all items of its lists: `customers.0.landline` is `customers[].landline`. */
const fieldOf = (attr: string): string => attr.replaceAll(indexes, '[]')

/** The findings that are kept of errors: one for each code and field. */
export const findingsOf = (
  errors: readonly Readonly<{ code: string; attr: string }>[],
): readonly RunFinding[] => {
  const found = new Map<string, RunFinding>()
  for (const { code, attr: path } of errors) {
    const attr = path.slice(0, longestPath)
    const field = fieldOf(attr).slice(0, longestPath)
    const name = `${code} ${field}`
    const known = found.get(name)
    if (known !== undefined) found.set(name, { ...known, times: known.times + 1 })
    else if (found.size < mostFindings) found.set(name, { code, field, attr, times: 1 })
  }
  return [...found.values()]
}
