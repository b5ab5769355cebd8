import { pipe, TE } from '../fp.js'
import { type PortFailure, portFailure, type PortResult } from '../ports/port-failure.js'

/** A port left an item of a list without an outcome. */
export const noOutcome = (): PortFailure =>
  portFailure('unexpected', 'store', 'list', new Error('no outcome for an item'))

/** The one outcome of a port that was asked for a list of one item. */
export const onlyOutcome = <A>(outcomes: PortResult<readonly A[]>): PortResult<A> =>
  pipe(
    outcomes,
    TE.flatMap(([outcome]) => (outcome === undefined ? TE.left(noOutcome()) : TE.right(outcome))),
  )
