import { Lines } from './lines.js'

/** The header by which a client says that a request is the same one as before. */
export const idempotencyKeyHeader = 'Idempotency-Key'

/** Stands with `true` on an answer that was given before. */
export const replayedHeader = 'Idempotency-Replayed'

/** 1 to 255 visible ASCII characters: a header that was sent twice has a blank between its values, and is no key. */
export const idempotencyKeyPattern = /^[!-~]{1,255}$/

/** Every POST but those of lines, whose answers are streams. */
export const takesIdempotencyKey = ({
  method,
  success,
}: Readonly<{ method: string; success: unknown }>): boolean =>
  method === 'POST' && !(success instanceof Lines)

const maySucceedLater = new Set([401, 403, 409, 429])

/** Whether an answer of this status stays the answer to its request; any other may be tried again. */
export const isFinalStatus = (status: number): boolean => status < 500 && !maySucceedLater.has(status)
