import type { Clock } from '../../ports/clock.js'
import { millisecondsOf } from '../../values/instant.js'

/** Who was refused and has not come back for so long no longer wants a place. Those who wait in bulk come each second. */
const wantsForMilliseconds = 3000

/** Which organisation may try to take one of the places for accounts in processing now, as this process sees it. */
export type FairTurns = Readonly<{
  /** Whether the organisation has to leave the next place to another one, which was refused and waits for it. */
  mustWait(organisation: string): boolean
  /** It asks for a place; what it does with it ends with `ended`, also where it got none. */
  begun(organisation: string): void
  ended(organisation: string): void
  served(organisation: string): void
  /** It got no place, and will come again. */
  refused(organisation: string): void
}>

/** `held`: places taken or being asked for. `servedAt`: which place in order was its latest, 0 for none. */
type Party = { held: number; servedAt: number; wantsSince: number | undefined }

/**
 * Without a line to wait in, the places would go to whoever asks most often. So while an organisation that was refused
 * waits, the others take no more than their share of the places, unless it was served later than they were. Places are
 * counted by the store for all servers; turns by each process for itself.
 */
export const fairTurns = (places: number, clock: Clock): FairTurns => {
  const parties = new Map<string, Party>()
  let placesServed = 0

  const partyOf = (organisation: string): Party => {
    const known = parties.get(organisation) ?? { held: 0, servedAt: 0, wantsSince: undefined }
    parties.set(organisation, known)
    return known
  }

  const forgetWishes = (): void => {
    const now = millisecondsOf(clock.now())
    for (const party of parties.values()) {
      const { wantsSince = now } = party
      if (wantsSince > now || now - wantsSince >= wantsForMilliseconds) party.wantsSince = undefined
    }
  }

  const mustWait = (organisation: string): boolean => {
    forgetWishes()
    const others = [...parties].filter(([other]) => other !== organisation).map(([, party]) => party)
    const waiting = others.filter(({ wantsSince }) => wantsSince !== undefined)
    if (waiting.length === 0) {
      for (const [other, { held }] of parties) if (held === 0) parties.delete(other)
      return false
    }
    const active = others.filter(({ held, wantsSince }) => held > 0 || wantsSince !== undefined)
    const { held, servedAt } = partyOf(organisation)
    const share = Math.floor(places / (active.length + 1))
    return held >= share && waiting.some((other) => other.servedAt < servedAt)
  }

  return {
    mustWait,
    begun: (organisation) => {
      partyOf(organisation).held += 1
    },
    ended: (organisation) => {
      partyOf(organisation).held -= 1
    },
    served: (organisation) => {
      const party = partyOf(organisation)
      placesServed += 1
      party.servedAt = placesServed
      party.wantsSince = undefined
    },
    refused: (organisation) => {
      partyOf(organisation).wantsSince = millisecondsOf(clock.now())
    },
  }
}
