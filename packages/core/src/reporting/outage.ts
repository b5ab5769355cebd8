import type { UseCaseResult } from '../checking/errors.js'
import { E } from '../fp.js'
import type { BulkResult, BulkResults } from '../importing/bulk-submissions.js'
import { mapped } from '../lists/pages.js'
import { isPortFailure, type PortFailure } from '../ports/port-failure.js'

/** So many lines may be under way during one short outage, and fail because of it. */
const mostOutagesInARow = 256

type Tagged = Readonly<{ _tag: string }>

const outageIn = <Refused extends Tagged, A>({ outcome }: BulkResult<Refused, A>): PortFailure | undefined =>
  outcome._tag === 'Left' && isPortFailure(outcome.left) && outcome.left.kind === 'unavailable'
    ? outcome.left
    : undefined

/**
 * The results until 256 in a row failed because a port was unavailable. Once these are taken, the iteration throws their failure: the
 * remaining lines are better sent again later.
 */
const untilOutage = <Refused extends Tagged, A>(
  results: BulkResults<Refused, A>,
): BulkResults<Refused, A> => {
  let inARow = 0
  let end: PortFailure | undefined
  return mapped(results, (page) => {
    // The results before were taken by now, as those of this page were asked for.
    if (end !== undefined) throw end
    for (const result of page) {
      const outage = outageIn(result)
      inARow = outage === undefined ? 0 : inARow + 1
      if (inARow >= mostOutagesInARow) end ??= outage
    }
    return page
  })
}

type BulkUseCase<Sent, Refused, LineRefused, A> = (
  sent: Sent,
) => UseCaseResult<Refused, BulkResults<LineRefused, A>>

/** Ends the results of a use case at an outage, also of the store of its run. */
export const endingAtOutage =
  <Sent, Refused, LineRefused extends Readonly<{ _tag: string }>, A>(
    useCase: BulkUseCase<Sent, Refused, LineRefused, A>,
  ): BulkUseCase<Sent, Refused, LineRefused, A> =>
  async (sent) =>
    E.map((results: BulkResults<LineRefused, A>) => untilOutage(results))(await useCase(sent))
