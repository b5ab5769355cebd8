import { pipe, TE } from '../fp.js'
import { portFailure, type PortResult } from '../ports/port-failure.js'

/** The one outcome of a port that was asked for a list of one item. */
export const onlyOutcome = <A>(outcomes: PortResult<readonly A[]>): PortResult<A> =>
  pipe(
    outcomes,
    TE.flatMap(([outcome]) =>
      outcome === undefined
        ? TE.left(portFailure('unexpected', 'store', 'list', new Error('no outcome for an item')))
        : TE.right(outcome),
    ),
  )
