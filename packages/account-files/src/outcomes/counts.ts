import type { FieldCode } from '@account-import/core'

export type FindingSeverity = 'error' | 'warning'

/** The place of a finding: line of the file, path of the field, or the column of the first fault of the JSON. */
export type Example = Readonly<{ line: number; attr: string; column?: number }>

/** Findings of one code at one field; `field` is the path with `[]` for every index. */
export type FieldCount = {
  readonly field: string
  readonly detail: string
  findings: number
  accounts: number
  /** The first finding of each of the first lines with one. */
  readonly examples: Example[]
}

/** Findings of one code. `accounts` counts the lines that have it. */
export type CodeCount = {
  readonly severity: FindingSeverity
  readonly code: FieldCode
  findings: number
  accounts: number
  /** In order of their first occurrence. */
  readonly fields: FieldCount[]
}

/** The highest number of errors of each class; the last class has no bound. */
export const spreadBounds: readonly number[] = [1, 2, 5, 10, 20, 50, 100]

/** A line with the same supplier and account number as an earlier line. */
export type Repeat = Readonly<{ line: number; firstLine: number }>

/** A line with a supply point of an earlier line, in another account of the same supplier. */
export type SharedPoint = Repeat & Readonly<{ number: string; firstNumber: string }>

/** A fault of the file that only the comparison of accounts shows. */
export type FileCheck =
  | 'every_balance_is_debt'
  | 'every_balance_is_credit'
  | 'one_value_in_most_accounts'
  | 'accounts_without_supply_points'
  | 'negative_credits'
  | 'negative_charges'
  | 'dates_in_future'
  | 'dates_before_1990'

/**
 * - `field`: the path with `[]` for every index
 * - `count`, `of`: accounts with the fault, and those with the field; for balances, the balances that are not zero; for credits and
 *   charges, those transactions
 * - `sum`: the sum of the amounts, with two decimals; only of credits and charges
 * - `atLeast`: `count` may be too low by a few
 * - `lines`: the first lines with the fault
 */
export type FileWarning = Readonly<{
  check: FileCheck
  field: string
  count: number
  of: number
  atLeast: boolean
  lines: readonly number[]
  sum?: string
}>

/** The most accounts, and the most supply points, that are remembered for the comparison: about 50 MB. */
export const mostRemembered = 250_000

/** The counts of lines, such as those of a batch. */
export type Numbers = Readonly<{
  accounts: number
  failed: number
  /** Accounts without errors, with at least one warning. */
  validWithWarnings: number
  codes: readonly CodeCount[]
  /** The failed lines with the most errors, worst first. */
  heaviest: readonly Readonly<{ line: number; errors: number; warnings: number }>[]
  /** Failed accounts by number of errors; see `spreadBounds`. */
  spread: readonly number[]
}>

/**
 * The totals of a file; the same for the same bytes and the same context, with any number of workers. Errors come
 * before warnings, and the most frequent codes first.
 */
export type FileTotals = Numbers &
  Readonly<{
    /** Lines, blank ones included. */
    lines: number
    repeats: Readonly<{ count: number; examples: readonly Repeat[]; complete: boolean }>
    sharedPoints: Readonly<{ count: number; examples: readonly SharedPoint[]; complete: boolean }>
    warnings: readonly FileWarning[]
    /** Bytes of the input before decompression, and their SHA-256 in hexadecimal. */
    bytes: number
    sha256: string
  }>

/** The totals of the lines, without those of the bytes. */
export type LineTotals = Omit<FileTotals, 'bytes' | 'sha256'>

/** Start, duration and threads of a run. */
export type RunFacts = Readonly<{ startedAt: Date; seconds: number; workers: number }>

/** The accounts of a run per second. */
export const accountsASecond = (accounts: number, { seconds }: Pick<RunFacts, 'seconds'>): number =>
  Math.round(accounts / Math.max(seconds, 0.001))
