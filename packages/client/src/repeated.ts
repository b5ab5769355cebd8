import { defaultRetrySeconds } from './bulk/settle.js'
import { Patience } from './bulk/patience.js'
import { pause } from './bulk/pause.js'
import type { KeyedOptions } from './keyed-options.js'
import { ownFailure, type Result } from './result.js'

/** Sends a request again, where it has a key, until an answer stays or patience ends. 400 stays, whatever its code. */
export const repeated = async <Body>(
  send: () => Promise<Result<Body>>,
  { idempotencyKey, retrySeconds = defaultRetrySeconds, signal }: KeyedOptions,
): Promise<Result<Body>> => {
  const patience = new Patience(retrySeconds)
  for (;;) {
    const result = await send()
    if (result.ok || result.status === 400 || idempotencyKey === undefined) return result
    const seconds = patience.wait(result)
    if (seconds === undefined) return result
    if (!(await pause(seconds, signal))) return ownFailure('aborted', 'Stopped by the caller.')
  }
}
