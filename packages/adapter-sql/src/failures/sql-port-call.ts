import { portCall, type PortResult } from '@account-import/core'
import { cleanCause } from './clean-cause.js'
import { failureKind } from './failure-kind.js'

/** Wraps the asynchronous operations of a store: what they throw becomes a `PortFailure` that may be logged. */
export const sqlPortCall = (
  port: string,
): (<A>(operation: string, call: () => Promise<A>) => PortResult<A>) => {
  const wrap = portCall(port, failureKind)
  return (operation, call) =>
    wrap(operation, () =>
      call().catch((cause: unknown) => {
        throw cleanCause(cause)
      }),
    )
}
