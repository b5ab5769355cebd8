import { compareCodePoints } from '../values/compare.js'
import { type Instant, plusSeconds } from '../values/instant.js'

/** The file that a run sends: its name without folders, and its SHA-256 as 64 lower-case hexadecimal digits. */
export type RunSource = Readonly<{ name: string; sha256: string }>

/**
 * One import of a supplier's accounts, as whoever sends it counts it: usually a file, however many requests and attempts it takes.
 */
export type ImportRun = Readonly<{
  /** Letters and digits, at most 22. */
  id: string
  organisation: string
  importSupplier: string
  /** For people. */
  label: string | undefined
  source: RunSource | undefined
  /** The actor that opened it, as the audit log names it. */
  startedBy: string
  startedAt: Instant
  /** When the latest request came that named it, a minute earlier at most. */
  latestRequestAt: Instant
  /**
   * When one of its accounts was accepted or refused for good last, a minute earlier at most; when it began, or went on after an
   * interruption, if that is later.
   */
  latestProgressAt: Instant
  finishedAt: Instant | undefined
  /** Since when its failures are gone, as the supplier's staged data is after its retention; undefined again once it goes on. */
  failuresRemovedAt: Instant | undefined
}>

/** The run that a request names. `firstLine`: the number that the first line of the request has in the source, 1 when absent. */
export type RunReference = Readonly<{ id: string; firstLine?: number | undefined }>

/** A request that may name a run. */
export type NamesRun = Readonly<{ importRun?: RunReference | undefined }>

/** A run that was found open. */
export type OpenRun = Pick<ImportRun, 'id' | 'importSupplier'>

/** The run of a request, as the use cases behind it know it. */
export type InRun = Readonly<{ run?: OpenRun | undefined }>

/** `interrupted`: no request named it for ten minutes; the next one makes it `running` again. */
export const runStates = ['running', 'interrupted', 'finished'] as const
export type RunState = (typeof runStates)[number]

/** So long without a request, in seconds, and a run counts as interrupted; so long without progress, and it is stalled. */
export const interruptedAfterSeconds = 600

export const runStateAt = (
  { finishedAt, latestRequestAt }: Pick<ImportRun, 'finishedAt' | 'latestRequestAt'>,
  now: Instant,
): RunState => {
  if (finishedAt !== undefined) return 'finished'
  return plusSeconds(latestRequestAt, interruptedAfterSeconds) < now ? 'interrupted' : 'running'
}

/** The run after a request named it; `isProgress`: an account was accepted or refused for good. A late request takes nothing back. */
export const namedAt = (run: ImportRun, at: Instant, isProgress: boolean): ImportRun => {
  if (run.finishedAt !== undefined || at <= (isProgress ? run.latestProgressAt : run.latestRequestAt))
    return run
  const isResumed = plusSeconds(run.latestRequestAt, interruptedAfterSeconds) < at
  return {
    ...run,
    latestRequestAt: at > run.latestRequestAt ? at : run.latestRequestAt,
    latestProgressAt: isProgress || isResumed ? at : run.latestProgressAt,
    // It may be refused accounts again: those are due anew.
    failuresRemovedAt: undefined,
  }
}

/** The step of an import in which an account was refused. */
export const runSteps = ['stage', 'process'] as const
export type RunStep = (typeof runSteps)[number]

/**
 * An error of a refused account. `field`: its path for all items of lists, such as `customers[].email`, empty where no field is
 * meant; `attr`: the path of the first value that has it; `times`: how many values have it.
 */
export type RunFinding = Readonly<{ code: string; field: string; attr: string; times: number }>

/** An account that was refused, and was not accepted since in the same step by the same line and number. It holds no value of the payload but the number. */
export type RunFailure = Readonly<{
  step: RunStep
  /** The number of the line in the source, from 1; undefined where nobody said it. */
  line: number | undefined
  /** Undefined where it could not be read. */
  externalAccountNumber: string | undefined
  /** The code of the refusal. */
  code: string
  /** At most 20, each of another code or field; empty where the code says all. */
  findings: readonly RunFinding[]
  failedAt: Instant
}>

/** The order of failures: by step, line (0 where there is none) and number (empty where it could not be read). */
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

/** Accounts of a run, counted. */
export type RunCounts = Readonly<{
  /** Accounts whose latest staged data is that of the run, created ones too. */
  staged: number
  /** Accounts that the run created, and that exist. */
  created: number
  failed: Readonly<Record<RunStep, number>>
  /** How many accounts have each code in a field: the most frequent first, at most 20. */
  errors: readonly Readonly<{ step: RunStep; code: string; field: string; count: number }>[]
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

/** The most frequent errors of failures. A failure without findings counts for its code. */
export const runErrors = (failures: Iterable<RunFailure>): RunCounts['errors'] => {
  const counted = new Map<string, RunCounts['errors'][number]>()
  for (const { step, code: reason, findings } of failures)
    for (const { code, field } of findings.length === 0 ? [{ code: reason, field: '' }] : findings) {
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

/** Longer paths are cut: keys of free objects make them as long as a client likes. */
const longestPath = 255

const indexes = /(^|\.)\d+(?=\.|$)/g

/** The path of a field for all items of its lists: `customers.0.landline` is `customers[].landline`. */
export const fieldOf = (attr: string): string => attr.replaceAll(indexes, '[]')

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
