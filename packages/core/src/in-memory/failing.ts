import { TE } from '../fp.js'
import { portFailure, type PortFailure } from '../ports/port-failure.js'

/**
 * A port whose named operation fails from its `nth` call on (counted from 1; once only, where `times` says so),
 * for tests of what happens when a store does. Everything else is the port's own.
 */
export const failing = <Port extends object, Operation extends keyof Port & string>(
  port: Port,
  operation: Operation,
  {
    nth = 1,
    times = Infinity,
    kind = 'unavailable',
  }: Readonly<{ nth?: number; times?: number; kind?: PortFailure['kind'] }> = {},
): Port => {
  const own = port[operation]
  if (typeof own !== 'function') throw new TypeError(`${operation} is no operation`)
  let calls = 0
  const failed = TE.left(portFailure(kind, 'failing', operation, new Error('made to fail')))
  const replaced = (...input: readonly unknown[]): unknown => {
    calls += 1
    return calls >= nth && calls < nth + times ? failed : Reflect.apply(own, port, [...input])
  }
  return { ...port, [operation]: replaced }
}
