import type { ServerResponse } from 'node:http'

const codes = new Set(['ECONNABORTED', 'ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'])

/** Whether an error only says that the other end of the connection is no longer there. */
export const isClientGone = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && codes.has(cause.code)

/** Aborted when the connection ends before the answer is whole, with an error that only says so. */
export const goneSignal = (response: ServerResponse): AbortSignal => {
  const controller = new AbortController()
  const gone = Object.assign(new Error('the client went away'), { code: 'ECONNABORTED' })
  const told = (): void => {
    if (!response.writableFinished) controller.abort(gone)
  }
  if (response.destroyed) told()
  else response.once('close', told)
  return controller.signal
}
