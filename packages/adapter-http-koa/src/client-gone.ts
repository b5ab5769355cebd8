import type { ServerResponse } from 'node:http'

const codes = new Set(['ECONNABORTED', 'ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'])

/** Whether an error only says that the other end of the connection is no longer there. */
export const isClientGone = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && codes.has(cause.code)

/** The error that is thrown where nobody is left to be answered. */
export const clientGone = (): Error =>
  Object.assign(new Error('the client went away'), { code: 'ECONNABORTED' })

/**
 * Does the work when the answer has ended or its client has gone: now, where that was so already. `closed` would not say so of an
 * answer whose turn had not come when its connection went.
 */
export const whenClosed = (response: ServerResponse, work: () => void): void => {
  if (response.destroyed) work()
  else response.once('close', work)
}

/** Aborted when the connection ends before the answer is whole, with an error that only says so. */
export const goneSignal = (response: ServerResponse): AbortSignal => {
  const controller = new AbortController()
  const told = (): void => {
    if (!response.writableFinished) controller.abort(clientGone())
  }
  whenClosed(response, told)
  return controller.signal
}
