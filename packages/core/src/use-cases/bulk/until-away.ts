import type { PortFailure } from '../../ports/port-failure.js'
import type { BulkResult, BulkResults } from '../bulk-result.js'

/** Of one window all may fail because of one short outage; a second window of failures is a longer one. */
const most = 256

type Tagged = Readonly<{ _tag: string }>

const isPortFailure = (refusal: Tagged): refusal is PortFailure => refusal._tag === 'PortFailure'

const outageIn = <Refused extends Tagged, A>({ outcome }: BulkResult<Refused, A>): PortFailure | undefined =>
  outcome._tag === 'Left' && isPortFailure(outcome.left) && outcome.left.kind === 'unavailable'
    ? outcome.left
    : undefined

/**
 * The same results. After 256 in a row that failed because something was out of reach, the stream ends with that failure
 * as the thrown value: what is left is better sent again later than burned through.
 */
export async function* untilAway<Refused extends Tagged, A>(
  pages: BulkResults<Refused, A>,
): AsyncGenerator<readonly BulkResult<Refused, A>[]> {
  let inARow = 0
  for await (const page of pages) {
    yield page
    for (const result of page) {
      const outage = outageIn(result)
      inARow = outage === undefined ? 0 : inARow + 1
      if (outage !== undefined && inARow >= most) throw outage
    }
  }
}
