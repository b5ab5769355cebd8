import type { CodeCount, HeavyLine } from './counts.js'
import type { Repeat } from './totals/repeated-keys.js'

/** The totals of a file; the same for the same bytes and the same context, however many workers there were. */
export type FileTotals = Readonly<{
  /** Lines, blank ones included. */
  lines: number
  accounts: number
  failed: number
  validWithWarnings: number
  /** Errors before warnings, the most frequent first. */
  codes: readonly CodeCount[]
  heaviest: readonly HeavyLine[]
  /** Failed accounts by number of errors; see `spreadBounds`. */
  spread: readonly number[]
  repeats: Readonly<{ count: number; examples: readonly Repeat[]; complete: boolean }>
  /** Bytes of the input as it came, and their SHA-256 in hexadecimal. */
  bytes: number
  sha256: string
}>

/** How the run itself went. */
export type RunFacts = Readonly<{ startedAt: Date; seconds: number; workers: number }>
