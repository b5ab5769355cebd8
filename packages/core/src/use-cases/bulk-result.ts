import type { Either } from '../fp.js'
import type { PortFailure } from '../ports/port-failure.js'

/** Why a line of a stream is no JSON value, as whoever reads the stream finds. */
export type LineUnreadable =
  | Readonly<{ _tag: 'NotUtf8' | 'NotJson' | 'PayloadTooDeep' }>
  | Readonly<{ _tag: 'PayloadTooLarge'; limitBytes: number; wrong?: 'ratio' | 'blank_lines' }>

/**
 * What became of one account. `line`: of the line that it came in, or the ordinal of the result where there are no
 * lines. The number is undefined where it cannot be read.
 */
export type BulkResult<Refused, A> = Readonly<{
  line: number
  externalAccountNumber: string | undefined
  outcome: Either<Refused | PortFailure, A>
}>

/** Results in order, all that are ready together. */
export type BulkResults<Refused, A> = AsyncIterable<readonly BulkResult<Refused, A>[]>
