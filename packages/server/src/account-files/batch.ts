import { detailOf, type ErrorCode, type FieldError } from '@account-import/core'
import type { Limits } from '@account-import/core/adapter-kit'
import { bodyLimitBytes } from '@account-import/http-contract'
import type { Numbers } from './counts.js'

/** The facts of an account that are compared with those of the other accounts of its file. */
export type LineFacts = Readonly<{
  /** Two halves of a hash of each supply point with its supplier, one after the other. */
  points: readonly number[]
  /** For each of `differingFields` the hashes of its values, each once. */
  values: readonly ReadonlySet<number>[]
  /** Ledgers with a balance below and above zero. */
  debts: number
  credits: number
  /** For each of `datedFields`: whether there is a date, one in the future, one that is too early. */
  dates: readonly Readonly<{ given: boolean; future: boolean; early: boolean }>[]
}>

/** One line as validated; supplier and number only where the payload has them in a valid form. */
export type ValidatedLine = Readonly<{
  errors: readonly FieldError[]
  warnings: readonly FieldError[]
  importSupplier: string | undefined
  externalAccountNumber: string | undefined
  /** Where the line is no JSON any more, or repeats a key, from 1. */
  column?: number
  /** The step that it failed in; validation when left out. */
  step?: string | undefined
  /** Facts that are compared with those of other accounts of the file. */
  facts?: Partial<LineFacts>
}>

/** A line of which nothing can be read. */
export const refusedLine = (code: ErrorCode, limits?: Limits): ValidatedLine => ({
  errors: [{ detail: detailOf(code, limits), code, attr: '' }],
  warnings: [],
  importSupplier: undefined,
  externalAccountNumber: undefined,
})

/** A line over 5 MiB, whatever is in it. */
export const tooLargeLine = (): ValidatedLine => refusedLine('payload_too_large', { max: bodyLimitBytes })

/** Accounts, and the first lines that have them. */
export type Places = { accounts: number; readonly lines: number[] }

/** Accounts with a date at a field, and those whose date lies in the future or too early. */
export type DateCount = { accounts: number; readonly future: Places; readonly early: Places }

/** The facts of the accounts of one batch, to be compared with those of other batches. */
export type BatchFacts = Readonly<{
  /** The account number of each line, one a line. */
  numbers: string
  /** Three numbers for each supply point: two halves of its hash, and its line minus `firstLine`. */
  points: Uint32Array<ArrayBuffer>
  /** For each of `differingFields` two numbers a value: its hash, and its line minus `firstLine`. */
  values: readonly Uint32Array<ArrayBuffer>[]
  debts: number
  credits: number
  dates: readonly Readonly<DateCount>[]
}>

/** Whole lines of the input; `firstLine` counts from 1. `sources`: for each line the row that it was made from. */
export type Batch = Readonly<{
  bytes: Uint8Array<ArrayBuffer>
  firstLine: number
  sources?: readonly string[] | undefined
}>

/** Which output has to be made besides the counts: failures as the lines that came, or as a table with a row for each. */
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
    /** The failed lines, byte for byte with their line ends; or rows of the table of failures, in UTF-8. */
    failures: Uint8Array<ArrayBuffer> | undefined
    /** Rows of the table of errors, in UTF-8. */
    errors: Uint8Array<ArrayBuffer> | undefined
    /** Rows of the table of numbers; offline there are none. */
    mapping?: string | undefined
  }>
