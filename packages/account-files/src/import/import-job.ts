import type { FailedLine, Failure } from '@account-import/client'
import type { FieldError } from '@account-import/core'
import { E } from '@account-import/core/fp'
import { externalAccountNumber, importSupplierCode, readField } from '@account-import/core/payloads'
import { jsonOf } from '@account-import/http-contract'
import type { LineFacts } from '../outcomes/batch.js'
import { FileFailure } from '../outcomes/file-failure.js'
import { isBlank, type LineRange, linesOf } from '../lines/lines-of.js'
import { supplyPoints } from '../totals/line-facts.js'
import { numberText } from '../totals/numbers.js'

/** The service refused a request of the import, or was unreachable for too long. */
export class ImportStopped extends FileFailure {
  readonly failure: Failure

  constructor(failure: Failure) {
    super('service', failure.problem.detail)
    this.failure = failure
  }
}

/** A line of a batch; supplier and number are undefined where they have no valid form. */
export type ImportLine = Readonly<{
  /** Lines before it in its batch. */
  offset: number
  range: LineRange
  bytes: Uint8Array
  importSupplier: string | undefined
  externalAccountNumber: string | undefined
  facts: LineFacts
}>

/** All lines that are not blank. */
export const importLines = (bytes: Uint8Array): readonly ImportLine[] => {
  const lines: ImportLine[] = []
  let offset = 0
  for (const range of linesOf(bytes)) {
    const line = bytes.subarray(range.start, range.end)
    if (!isBlank(line)) lines.push({ offset, range, bytes: line, ...namesOf(line) })
    offset += 1
  }
  return lines
}

/** Supplier, account number and supply points of a line. */
const namesOf = (
  line: Uint8Array,
): Pick<ImportLine, 'importSupplier' | 'externalAccountNumber' | 'facts'> => {
  const json = jsonOf(line)
  const payload = E.isRight(json) ? json.right.payload : 'names' in json.left ? json.left.names : undefined
  const importSupplier = readField(importSupplierCode, payload, 'import_supplier')
  return {
    importSupplier,
    facts: { points: supplyPoints(payload) },
    externalAccountNumber: readField(externalAccountNumber, payload, 'external_account_number'),
  }
}

/**
 * The outcomes of an account, each in words for people; `would_…` in a dry run. `existing`: created before this run from the same
 * data. `differing`: created before this run from other data.
 */
export const stateWords = {
  valid: 'valid',
  would_create: 'would be created',
  would_replace: 'would be replaced',
  staged: 'staged',
  created: 'created',
  existing: 'created before',
  differing: 'created before, with other data',
  failed: 'failed',
} as const
export type LineState = keyof typeof stateWords
export const lineStates = Object.keys(stateWords) as readonly LineState[]

/** The outcome of one line. */
export type LineOutcome = Readonly<{
  line: ImportLine
  state: LineState
  /** Empty for all states but `failed` and `differing`. */
  errors: readonly FieldError[]
  /** The step that found the errors. */
  step?: Step | undefined
  /** The number of an account that exists. */
  platformAccountNumber?: string | undefined
}>

/** Appends the request id to a text that mentions it. */
export const withRequestId = (detail: string, requestId: string | undefined): string =>
  requestId && /request id/i.test(detail) ? `${detail} The request id is ${requestId}.` : detail

/** The errors of the fields, or one error for the whole account. */
export const errorsOf = ({ problem }: FailedLine): readonly FieldError[] =>
  problem.errors.length > 0
    ? problem.errors
    : [{ detail: withRequestId(problem.detail, problem.request_id), code: problem.code, attr: '' }]

/** The steps for each account. */
export const steps = ['validate', 'stage', 'process'] as const
export type Step = (typeof steps)[number]

/** The steps of an import. */
export type ImportSteps = Readonly<{
  /** The team that accounts are created under; not needed to validate or stage. */
  team: string | undefined
  /** One step alone. Default: staging, then processing. */
  only: Step | undefined
  /** Stages and creates nothing: validates, and reports the result that staging would have. */
  dryRun: boolean
}>

/** A line of the file, counted from 1, and its account. */
export type NamedLine = Readonly<{ line: number; externalAccountNumber: string }>

const mostNamed = 1000

/** The states of the lines so far; each line of the file is in exactly one of them. */
export class Tally {
  readonly states = Object.fromEntries(lineStates.map((state) => [state, 0])) as Record<LineState, number>
  /** Accounts read from the file so far, each with a result or without. */
  read = 0
  /** Staged accounts that this import creates next. Until then, each is in the state `staged`. */
  private waiting = 0
  /** Whether an answer was lost, so that the service may have more accounts than are counted. */
  isLeast = false
  /** Repeated requests. */
  retries = 0
  /** The failure of the latest repeated request, until an account gets a result. */
  trouble: string | undefined
  private readonly byCode = new Map<string, number>()
  private differing: NamedLine[] = []

  /** Lines with a result. */
  get accounts(): number {
    return Object.values(this.states).reduce((sum, count) => sum + count, 0)
  }

  /** The accounts that are done; one that is staged and waits is half done. */
  get done(): number {
    return this.accounts - this.waiting / 2
  }

  /** Counts an account that is staged, and gets its result by `add` later. */
  wait(): void {
    this.states.staged += 1
    this.waiting += 1
    this.trouble = undefined
  }

  /** `waited`: `wait` counted the account before. */
  add({ state, errors }: Pick<LineOutcome, 'state' | 'errors'>, waited = false): void {
    if (waited) {
      this.states.staged -= 1
      this.waiting -= 1
    }
    this.states[state] += 1
    this.trouble = undefined
    for (const code of new Set(errors.map((error) => error.code)))
      this.byCode.set(code, (this.byCode.get(code) ?? 0) + 1)
  }

  /** Stores an account that exists with other data; `differingLines` returns the first ones in the file. */
  nameDiffering(line: NamedLine): void {
    this.differing.push(line)
    if (this.differing.length >= 2 * mostNamed) this.differing = this.differingLines()
  }

  differingLines(): NamedLine[] {
    return this.differing.toSorted((left, right) => left.line - right.line).slice(0, mostNamed)
  }

  /** The most frequent first. */
  topCodes(most: number): readonly Readonly<{ code: string; accounts: number }>[] {
    return [...this.byCode]
      .map(([code, accounts]) => ({ code, accounts }))
      .toSorted((left, right) => right.accounts - left.accounts || (left.code < right.code ? -1 : 1))
      .slice(0, most)
  }
}

/** The counts of a run that is not complete: `staged 3,879, created 0, refused 48`, and other states that any account is in. */
export const progressText = ({ states }: Pick<Tally, 'states'>): string => {
  const { staged, created, failed, ...others } = states
  const more = lineStates.filter((state) => state in others && states[state] > 0)
  return [
    `staged ${numberText(staged)}`,
    `created ${numberText(created)}`,
    `refused ${numberText(failed)}`,
    ...more.map((state) => `${stateWords[state]} ${numberText(states[state])}`),
  ].join(', ')
}

/** Counts by state: `created 12, failed 3`. */
export const statesText = (states: Readonly<Record<LineState, number>>): string =>
  lineStates
    .filter((state) => states[state] > 0)
    .map((state) => `${stateWords[state]} ${numberText(states[state])}`)
    .join(', ')
