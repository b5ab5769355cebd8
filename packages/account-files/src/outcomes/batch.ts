import { detailOf, type ErrorCode, type FieldError } from '@account-import/core'
import { type Limits } from '@account-import/core/payloads'
import { bodyLimitBytes } from '@account-import/http-contract'
import type { Numbers } from './counts.js'

/** Transactions of one type: all, those with an amount below zero, and the sum of these in hundredths. */
export type SignedCount = { all: number; negative: number; cents: bigint }

/** The facts of an account that are compared with those of the other accounts of its file. */
export type LineFacts = Readonly<{
  /** Two halves of a hash of each supply point with its supplier, one after the other. */
  points: readonly number[]
  /** For each of `differingFields` the hashes of its values, each once. */
  values: readonly ReadonlySet<number>[]
  /** Ledgers with a balance below and above zero. */
  debts: number
  credits: number
  hasPoint: boolean
  /** For each of `signedTypes`. */
  signed: readonly Readonly<SignedCount>[]
  /** For each of `datedFields`: whether there is a date, a date in the future, a date before 1990. */
  dates: readonly Readonly<{ given: boolean; future: boolean; early: boolean }>[]
}>

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
  facts?: Partial<LineFacts>
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

/** The count of accounts, and their first lines. */
export type Places = { accounts: number; readonly lines: number[] }

/** Accounts with a date at a field, and those with a date in the future or before 1990. */
export type DateCount = { accounts: number; readonly future: Places; readonly early: Places }

/** The facts of the accounts of one batch, for the comparison with other batches. */
export type BatchFacts = Readonly<{
  /** The account number of each line, one a line. */
  numbers: string
  /** Three numbers for each supply point: two halves of its hash, and its line minus `firstLine`. */
  points: Uint32Array<ArrayBuffer>
  /** For each of `differingFields` two numbers a value: its hash, and its line minus `firstLine`. */
  values: readonly Uint32Array<ArrayBuffer>[]
  debts: number
  credits: number
  /** Accounts with a readable payload, and those without a supply point, with the first lines. */
  accounts: number
  pointless: Readonly<Places>
  signed: readonly Readonly<SignedCount>[]
  dates: readonly Readonly<DateCount>[]
}>

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
    /** Three numbers for each account with a key: two halves of its hash, and its line minus `firstLine`. */
    keys: Uint32Array<ArrayBuffer>
    facts: BatchFacts
    /** The failed lines with their line ends, unchanged; or rows of the table of failures, in UTF-8. */
    failures: Uint8Array<ArrayBuffer> | undefined
    /** Rows of the table of errors, in UTF-8. */
    errors: Uint8Array<ArrayBuffer> | undefined
    /** Rows of the table of numbers; undefined in offline checks. */
    mapping?: string | undefined
  }>
