import { detailOf, type ErrorCode, type FieldError } from '@account-import/core'
import { type Limits } from '@account-import/core/payloads'
import { bodyLimitBytes } from '@account-import/http-contract'
import type { Numbers } from './counts.js'

/** Transactions of one type: all, those with an amount below zero, and the sum of these in hundredths. */
export type SignedCount = { all: number; negative: number; cents: bigint }

/** The count of accounts, and their first lines. */
export type Places = { accounts: number; readonly lines: number[] }

/** Accounts with a date at a field, and those with a date in the future or before 1990. */
export type DateCount = { accounts: number; readonly future: Places; readonly early: Places }

/** Sums over accounts: of one, of a batch, or of a file. */
export type Sums = {
  /** Ledgers with a balance below and above zero. */
  debts: number
  credits: number
  /** Accounts with a readable payload, and those without a supply point. */
  accounts: number
  readonly pointless: Places
  /** For each of `signedTypes`. */
  readonly signed: readonly SignedCount[]
  /** For each of `datedFields`. */
  readonly dates: readonly DateCount[]
}

/** The facts of an account that are compared with those of the other accounts of its file. Each text is there once. */
export type LineFacts = Readonly<{
  /** Supply points in their compared form. */
  points: readonly string[]
  /** For each of `differingFields` its values in their compared form. */
  values?: readonly (readonly string[])[]
  sums?: Sums
}>

/** The account on a line; supplier and number only where the payload has them in a valid form. */
export type ComparedLine = Pick<LineFacts, 'points' | 'values'> &
  Readonly<{ line: number; importSupplier: string | undefined; externalAccountNumber: string | undefined }>

/** One line as validated; supplier and number only where the payload has them in a valid form. */
export type ValidatedLine = Readonly<{
  errors: readonly FieldError[]
  warnings: readonly FieldError[]
  importSupplier: string | undefined
  externalAccountNumber: string | undefined
  /** The column of the first fault of the JSON, or of a repeated key, from 1. */
  column?: number
  /** The step in which the line failed. Default: validation. */
  step?: string | undefined
  /** For the comparison with other accounts of the file. */
  facts?: LineFacts
}>

/** The result of an unreadable line. */
export const refusedLine = (code: ErrorCode, limits?: Limits): ValidatedLine => ({
  errors: [{ detail: detailOf(code, limits), code, attr: '' }],
  warnings: [],
  importSupplier: undefined,
  externalAccountNumber: undefined,
})

/** The result of a line over 5 MiB, which is not parsed. */
export const tooLargeLine = (): ValidatedLine => refusedLine('payload_too_large', { max: bodyLimitBytes })

/** The source row of a converted line, as cells of a table. */
export type SourceRow = readonly [file: string, keys: string]

/** Whole lines of the input; `firstLine` counts from 1. `sources`: the source row of each converted line. */
export type Batch = Readonly<{
  bytes: Uint8Array<ArrayBuffer>
  firstLine: number
  sources?: readonly SourceRow[] | undefined
}>

/** The requested outputs besides the counts. Failures are unchanged lines, or a table with a row for each. */
export type Wants = Readonly<{
  failures: 'lines' | 'table' | undefined
  errors: boolean
  mapping: boolean
  sources?: boolean
}>

/** The outcomes of the lines of one batch; its codes are in order of their first occurrence. */
export type BatchOutcome = Numbers &
  Readonly<{
    compared: readonly ComparedLine[]
    sums: Sums
    /** The failed lines with their line ends, unchanged; or rows of the table of failures, in UTF-8. */
    failures: Uint8Array<ArrayBuffer> | undefined
    /** Rows of the table of errors, in UTF-8. */
    errors: Uint8Array<ArrayBuffer> | undefined
    /** Rows of the table of numbers; undefined in offline checks. */
    mapping?: string | undefined
  }>
