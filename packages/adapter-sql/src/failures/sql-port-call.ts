import { portCall, type PortResult } from '@account-import/core'
import { failureKind } from './failure-kind.js'

/** Wraps the asynchronous operations of a store: what they throw becomes a `PortFailure`. */
export const sqlPortCall = (
  port: string,
): (<A>(operation: string, call: () => Promise<A>) => PortResult<A>) => portCall(port, failureKind)
