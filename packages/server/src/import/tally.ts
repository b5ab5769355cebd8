import { numberText } from '../account-files/report/numbers.js'
import { type LineOutcome, type LineState, lineStates } from './import-job.js'

/** A line of the file, counted from 1, and its account. */
type NamedLine = Readonly<{ line: number; externalAccountNumber: string }>

const mostNamed = 1000

/** The states of the lines so far; each line of the file is in exactly one of them. */
export class Tally {
  readonly states: Record<LineState, number> = {
    valid: 0,
    would_create: 0,
    would_replace: 0,
    staged: 0,
    created: 0,
    existing: 0,
    differing: 0,
    failed: 0,
  }
  /** Requests that were sent again. */
  retries = 0
  /** Why the last request that is sent again was in vain, until another one goes through. */
  trouble: string | undefined
  private readonly byCode = new Map<string, number>()
  private differing: NamedLine[] = []

  /** Lines that are done with. */
  get accounts(): number {
    return Object.values(this.states).reduce((sum, count) => sum + count, 0)
  }

  add({ state, errors }: Pick<LineOutcome, 'state' | 'errors'>): void {
    this.states[state] += 1
    this.trouble = undefined
    for (const code of new Set(errors.map((error) => error.code)))
      this.byCode.set(code, (this.byCode.get(code) ?? 0) + 1)
  }

  /** Names an account that exists with other data; `differingLines` gives the first of them in the file. */
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

/** The states, for people. */
export const stateWords: Readonly<Record<LineState, string>> = {
  valid: 'valid',
  would_create: 'would be created',
  would_replace: 'would be replaced',
  staged: 'staged',
  created: 'created',
  existing: 'created before',
  differing: 'created before, with other data',
  failed: 'failed',
}

/** Counts by state: `created 12, failed 3`. */
export const statesText = (states: Readonly<Record<LineState, number>>): string =>
  lineStates
    .filter((state) => states[state] > 0)
    .map((state) => `${stateWords[state]} ${numberText(states[state])}`)
    .join(', ')
