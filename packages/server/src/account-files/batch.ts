import type { CodeCount, HeavyLine } from './counts.js'

/** Whole lines of the input; `firstLine` counts from 1. */
export type Batch = Readonly<{ bytes: Uint8Array<ArrayBuffer>; firstLine: number }>

/** Which output has to be made besides the counts. */
export type Wants = Readonly<{ failures: boolean; errors: boolean; mapping: boolean }>

/** What became of the lines of one batch. */
export type BatchOutcome = Readonly<{
  accounts: number
  failed: number
  /** Accounts without errors, with at least one warning. */
  validWithWarnings: number
  /** In order of their first occurrence. */
  codes: readonly CodeCount[]
  /** The failed lines with the most errors, worst first. */
  heaviest: readonly HeavyLine[]
  /** Failed accounts by number of errors; see `spreadBounds`. */
  spread: readonly number[]
  /** Three numbers for each account with a key: two halves of its hash, and its line minus `firstLine`. */
  keys: Uint32Array<ArrayBuffer>
  /** The failed lines, byte for byte with their line ends. */
  failures: Uint8Array<ArrayBuffer> | undefined
  /** Rows of the table of errors, in UTF-8. */
  errors: Uint8Array<ArrayBuffer> | undefined
  /** Rows of the table of numbers; offline there are none. */
  mapping?: string | undefined
}>
