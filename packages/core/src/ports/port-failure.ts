import { E, type Either } from '../fp.js'

/**
 * A port could not do its work. `unavailable`: the system behind it cannot be reached now, and a retry may succeed;
 * `unexpected`: a bug. The cause is for the log only and is never sent to a client. `ofSomeRows`: only the rows of this
 * call are unavailable, for example locked by another transaction; a call for other rows may succeed now.
 */
export type PortFailure = Readonly<{
  _tag: 'PortFailure'
  kind: 'unavailable' | 'unexpected'
  port: string
  operation: string
  cause: unknown
  ofSomeRows?: true
}>

/**
 * The result of every operation of a port: a promise that resolves to `Right` with the value or `Left` with a `PortFailure`, and
 * never rejects. `portOf` makes it of `async` functions that may throw.
 */
export type PortResult<A> = Promise<Either<PortFailure, A>>

export const isPortFailure = (cause: unknown): cause is PortFailure =>
  typeof cause === 'object' && cause !== null && '_tag' in cause && cause._tag === 'PortFailure'

export const portFailure = (
  kind: PortFailure['kind'],
  port: string,
  operation: string,
  cause: unknown,
): PortFailure => ({ _tag: 'PortFailure', kind, port, operation, cause })

/**
 * Makes a `PortResult` of one call of `async` code; `portOf` does it for a whole port. `port` is the name of the port, for the log;
 * a rejection becomes a `PortFailure` of the kind `kindOf(cause)`, `unexpected` when `kindOf` is absent.
 */
export const portCall =
  (port: string, kindOf: (cause: unknown) => PortFailure['kind'] = () => 'unexpected') =>
  async <A>(operation: string, call: () => Promise<A>): PortResult<A> => {
    try {
      return E.right(await call())
    } catch (cause) {
      return E.left(portFailure(kindOf(cause), port, operation, cause))
    }
  }

/** The operations of a port as `async` functions. */
export type AsyncOperations<Port> = {
  [
    Operation in keyof Port as Port[Operation] extends (...input: never) => unknown ? Operation : never
  ]: Port[Operation] extends (...input: infer Input) => PortResult<infer A>
    ? (...input: Input) => Promise<A>
    : never
}

/**
 * Makes a port of `async` functions; a rejection becomes a failure of the port and the operation, of the kind `kindOf(cause)`,
 * `unexpected` when `kindOf` is absent.
 */
export const portOf = <Port extends object>(
  port: string,
  operations: AsyncOperations<NoInfer<Port>>,
  kindOf?: (cause: unknown) => PortFailure['kind'],
): Port => {
  const call = portCall(port, kindOf)
  return Object.fromEntries(
    Object.entries<(...input: readonly unknown[]) => Promise<unknown>>(operations).map(
      ([operation, work]) => [
        operation,
        (...input: readonly unknown[]) => call(operation, () => work(...input)),
      ],
    ),
    // Each function has the input of the one that it wraps, and its result as a `PortResult`.
  ) as Port
}

/** A port returned no outcome for an item of a list. */
export const noOutcome = (): PortFailure =>
  portFailure('unexpected', 'store', 'list', new Error('no outcome for an item'))
