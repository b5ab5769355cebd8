import { type TaskEither, TE } from '../fp.js'

/**
 * A port could not do its work. `unavailable`: the system behind it cannot be reached now, and the same call may
 * succeed later; `unexpected`: a bug. The cause is for the log only and is never shown to a client. `ofSomeRows`: only
 * what the call was about is out of reach, such as a row that somebody keeps locked; the same call for others may succeed now.
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
 * The answer of every operation of a port: a function that starts the work, whose promise gives `Right` with the value or `Left` with
 * a `PortFailure`, and never rejects. An implementation with `async` functions gets it from `portCall`:
 * `exists: (name) => call('exists', () => directory.has(name))`, with `const call = portCall('operationsTeams')`.
 */
export type PortResult<A> = TaskEither<PortFailure, A>

export const isPortFailure = (cause: unknown): cause is PortFailure =>
  typeof cause === 'object' && cause !== null && '_tag' in cause && cause._tag === 'PortFailure'

export const portFailure = (
  kind: PortFailure['kind'],
  port: string,
  operation: string,
  cause: unknown,
): PortFailure => ({ _tag: 'PortFailure', kind, port, operation, cause })

/**
 * Makes a `PortResult` of `async` code. `port` is the name of the port, for the log; a rejection becomes a `PortFailure` of the kind that
 * `kindOf` finds, `unexpected` when it is absent.
 */
export const portCall =
  (port: string, kindOf: (cause: unknown) => PortFailure['kind'] = () => 'unexpected') =>
  <A>(operation: string, call: () => Promise<A>): PortResult<A> =>
    TE.tryCatch(call, (cause) => portFailure(kindOf(cause), port, operation, cause))

/** The operations of a port as `async` functions. */
type Async<Port> = {
  [Operation in keyof Port]: Port[Operation] extends (...input: infer Input) => PortResult<infer A>
    ? (...input: Input) => Promise<A>
    : never
}

/** A port of `async` functions; a rejection becomes an `unexpected` failure of the port and the operation. */
export const portOf = <Port extends object>(port: string, operations: Async<NoInfer<Port>>): Port =>
  Object.fromEntries(
    Object.entries<(...input: readonly unknown[]) => Promise<unknown>>(operations).map(
      ([operation, work]) => [
        operation,
        (...input: readonly unknown[]) => portCall(port)(operation, () => work(...input)),
      ],
    ),
    // Each has the input of the function that it wraps, and its answer as a `PortResult`.
  ) as Port

/** A port left an item of a list without an outcome. */
export const noOutcome = (): PortFailure =>
  portFailure('unexpected', 'store', 'list', new Error('no outcome for an item'))
