import { portFailure, type PortFailure, type Ports, type TransactionalStores } from '@account-import/core'
import { E, type Either } from '@account-import/core/fp'

const madeFault = (): Error => new Error('made to fail')

/** Whether a port failed because it was made to. */
export const isMade = (cause: unknown): boolean =>
  cause instanceof Error && cause.message === madeFault().message

/** The result of a call that never resolves: it is not awaited, and its unit of work is rolled back. */
export const noAnswer = Symbol('no answer')

export type PortCall = Readonly<{ port: string; operation: string; isInUnitOfWork: boolean }>

/** The work around each call that can fail; `effect` is the call itself, to be made once at most. */
export type Around = (call: PortCall, effect: () => Promise<unknown>) => Promise<unknown>

type Operation = (...input: readonly unknown[]) => unknown

/** The answer of a failing call: a Left, or a rejection of a port without Lefts. */
export const failedAnswer = ({ port, operation }: PortCall, kind: PortFailure['kind']): unknown => {
  if (port === 'customerNotifier' && kind === 'unavailable') return { _tag: kind, code: 'connection_lost' }
  if (port === 'customerNotifier' || port === 'secrets') throw madeFault()
  return E.left(portFailure(kind, port, operation, madeFault()))
}

const cutOffUnit = E.left(noAnswer)

const forEver = (): Promise<never> => new Promise(() => undefined)

/** Operations that return their result without a promise. */
const atOnce: ReadonlySet<string> = new Set([
  'now',
  'wall',
  'generate',
  'isRegistered',
  'takesReference',
  'takes',
])

/** The port, with each asynchronous operation intercepted. A synchronous operation, such as a clock, is unchanged. */
const intercepted = (
  port: object,
  at: Omit<PortCall, 'operation'>,
  around: Around,
  whenCutOff: () => void,
): object => {
  const made = async (operation: string, effect: () => Promise<unknown>): Promise<unknown> => {
    const answer = await around({ ...at, operation }, effect)
    if (answer !== noAnswer && answer !== cutOffUnit) return answer
    whenCutOff()
    return forEver()
  }
  const replaced = (operation: string, own: Operation): Operation => {
    if (atOnce.has(operation)) return own
    return (...input) => made(operation, () => own(...input) as Promise<unknown>)
  }
  return Object.fromEntries(
    Object.entries(port).map(([name, own]: [string, unknown]) => [
      name,
      typeof own === 'function' ? replaced(name, own as Operation) : own,
    ]),
  )
}

const interceptedStores = (
  stores: TransactionalStores,
  around: Around,
  whenCutOff: () => void,
): TransactionalStores =>
  Object.fromEntries(
    Object.entries(stores).map(([port, store]) => [
      port,
      intercepted(store, { port, isInUnitOfWork: true }, around, whenCutOff),
    ]),
  ) as TransactionalStores

/**
 * Units of work with intercepted stores. A call that never resolves ends its unit as a lost connection does: the database rolls
 * back, and the promise of the unit never resolves.
 */
const unitOfWork = (
  { unitOfWork: own }: Ports,
  around: Around,
  running: Set<() => void>,
): Ports['unitOfWork'] => ({
  run: async <Refused, A>(
    organisation: string,
    work: (stores: TransactionalStores) => Promise<Either<Refused, A>>,
  ) => {
    let isCutOff = false
    let cutOff = (): void => undefined
    const rolledBack = new Promise<Either<Refused, never>>((resolve) => {
      cutOff = () => {
        isCutOff = true
        resolve(cutOffUnit as Either<Refused, never>)
      }
    })
    running.add(cutOff)
    const answer = await own.run(organisation, (stores) =>
      Promise.race([work(interceptedStores(stores, around, cutOff)), rolledBack]),
    )
    running.delete(cutOff)
    return isCutOff ? (cutOffUnit as Either<Refused, never>) : answer
  },
})

/** All ports, with all that is done by them, inside units of work too, going through one function. */
export const interceptedPorts = (ports: Ports, around: Around): Ports => {
  // A port that has no part in a unit of work, such as a hash, may be called while one runs.
  const running = new Set<() => void>()
  const cutOffRunning = (): void => running.forEach((cutOff) => cutOff())
  const { settings, ...others } = { ...ports, unitOfWork: unitOfWork(ports, around, running) }
  const replaced = Object.entries(others).map(([port, own]: [string, object]) => [
    port,
    intercepted(own, { port, isInUnitOfWork: false }, around, cutOffRunning),
  ])
  return { ...(Object.fromEntries(replaced) as Omit<Ports, 'settings'>), settings }
}
