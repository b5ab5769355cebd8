const codes = new Set(['ECONNABORTED', 'ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'])

/** Whether an error only says that the other end of the connection is no longer there. */
export const isClientGone = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && codes.has(cause.code)
