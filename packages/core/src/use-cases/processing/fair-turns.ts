import type { Clock } from '../../ports/secrets.js'
import { millisecondsOf } from '../../values/instant.js'

/** An organisation that was refused wants a place until it makes no attempt for this time. Bulk requests try each second. */
const wantsForMilliseconds = 3000

/** `held`: places taken or requested. `servedAt`: the ordinal of its latest place, 0 for none. */
type Party = { held: number; servedAt: number; wantsSince: number }

/** `wantsSince` of an organisation that wants no place. */
const never = -Infinity

/**
 * Decides which organisation may try to take one of the places for accounts in processing. Without turns, the organisation
 * with the most requests would get most places. So while a refused organisation waits, the others take no more than their share
 * of the places, unless it was served later than they were. The store counts places for all servers; each process counts turns
 * for itself.
 */
export const fairTurns = (places: number, clock: Clock) => {
  const parties = new Map<string, Party>()
  let placesServed = 0

  const partyOf = (organisation: string): Party => {
    const known = parties.get(organisation) ?? { held: 0, servedAt: 0, wantsSince: never }
    parties.set(organisation, known)
    return known
  }

  return {
    /** Whether the organisation has to leave the next place to another one, which was refused and waits. */
    mustWait: (organisation: string): boolean => {
      const now = millisecondsOf(clock.now())
      // The absolute value, so that a clock that was set back prolongs no wait.
      const wants = ({ wantsSince }: Party) => Math.abs(now - wantsSince) < wantsForMilliseconds
      const party = partyOf(organisation)
      const active = [...parties.values()].filter((each) => each === party || each.held > 0 || wants(each))
      return (
        party.held >= Math.floor(places / active.length) &&
        active.some((other) => wants(other) && other.servedAt < party.servedAt)
      )
    },
    /** The organisation requests a place; each `begun` needs one `ended`, also if it got no place. */
    begun: (organisation: string): void => {
      partyOf(organisation).held += 1
    },
    ended: (organisation: string): void => {
      partyOf(organisation).held -= 1
    },
    served: (organisation: string): void => {
      const party = partyOf(organisation)
      placesServed += 1
      party.servedAt = placesServed
      party.wantsSince = never
    },
    /** The organisation got no place, and will retry. */
    refused: (organisation: string): void => {
      partyOf(organisation).wantsSince = millisecondsOf(clock.now())
    },
  }
}
