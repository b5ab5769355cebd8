import type { AccountKey } from '../../domain/account-import.js'
import type { Actor } from '../../domain/audit-entry.js'
import { E, pipe, type TaskEither, TE } from '../../fp.js'
import type { ClaimOutcome, ClaimRelease, ClaimRequest } from '../../ports/account-imports.js'
import type { Clock } from '../../ports/secrets.js'
import type { Ports } from '../../ports/index.js'
import { noOutcome, type PortFailure, type PortResult } from '../../ports/port-failure.js'
import { millisecondsOf, plusSeconds } from '../../values/instant.js'
import type { ProcessingRefused } from '../errors.js'
import { refuseProcessing, retryAfterSeconds } from '../import-refusals.js'

/** A claim, which permits to create the account, with the staged data; a long payload is absent (`ClaimOutcome`). */
export type ClaimedAccount = Readonly<{
  key: AccountKey
  token: string
  dryRun: boolean
  by: Actor | undefined
  importRun: string | undefined
  version: number
  payload: string | undefined
}>

/** The supplier or the team is not as the claim requires: nothing was claimed. */
type PreconditionFailed = Readonly<{ _tag: 'PreconditionFailed' }>

type Refused = ProcessingRefused | PortFailure | PreconditionFailed

const claimed =
  (
    ports: Pick<Ports, 'accountImports'>,
    asked: Pick<ClaimedAccount, 'key' | 'token' | 'dryRun' | 'by' | 'importRun'>,
  ) =>
  (outcome: ClaimOutcome): TaskEither<Refused, ClaimedAccount> => {
    switch (outcome._tag) {
      case 'precondition_failed':
        return TE.left({ _tag: 'PreconditionFailed' })
      case 'claimed':
        return TE.right({ ...asked, version: outcome.version, payload: outcome.payload })
      case 'not_staged':
        return TE.left({ _tag: 'NothingStaged' })
      case 'over_limit':
        return TE.left({ _tag: 'ConcurrencyLimitReached', retryAfterSeconds })
      default:
        return refuseProcessing(ports, asked, outcome)
    }
  }

/** If the store fails, the claim may have been taken, so it is released; if that fails too, it expires. */
const giveUp =
  (
    accountImports: Ports['accountImports'],
    release: ClaimRelease,
    failure: PortFailure,
  ): PortResult<ClaimOutcome> =>
  async () => {
    await accountImports.release([release])()
    return E.left(failure)
  }

/** The only outcome of a port call with a list of one item. */
const onlyOutcome = <A>(outcomes: PortResult<readonly A[]>): PortResult<A> =>
  pipe(
    outcomes,
    TE.flatMap(([outcome]) => (outcome === undefined ? TE.left(noOutcome()) : TE.right(outcome))),
  )

/** Takes the claim in a transaction of its own, so that other requests see the account in progress. */
export const claimAccount =
  ({
    accountImports,
    clock,
    secrets,
    settings,
  }: Pick<Ports, 'accountImports' | 'clock' | 'secrets' | 'settings'>) =>
  (
    key: AccountKey,
    dryRun: boolean,
    by: Actor | undefined,
    importRun: string | undefined,
    precondition: ClaimRequest['precondition'],
  ): TaskEither<Refused, ClaimedAccount> => {
    const at = clock.now()
    const token = secrets.generate()
    const expiresAt = plusSeconds(at, settings.processingClaimSeconds)
    return pipe(
      accountImports.claim(
        [{ key, token, at, expiresAt, countsAsAttempt: !dryRun, ...(precondition && { precondition }) }],
        settings.processingConcurrencyLimit,
      ),
      onlyOutcome,
      TE.orElse((failure) => giveUp(accountImports, { key, token }, failure)),
      TE.flatMap(claimed({ accountImports }, { key, token, dryRun, by, importRun })),
    )
  }

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
const fairTurns = (places: number, clock: Clock) => {
  const parties = new Map<string, Party>()
  let placesServed = 0

  const partyOf = (organisation: string): Party => {
    const known = parties.get(organisation) ?? { held: 0, servedAt: 0, wantsSince: never }
    parties.set(organisation, known)
    return known
  }

  /** Whether the organisation has to leave the next place to another one, which was refused and waits. */
  const mustWait = (organisation: string): boolean => {
    const now = millisecondsOf(clock.now())
    // The absolute value, so that a clock that was set back prolongs no wait.
    const wants = ({ wantsSince }: Party) => Math.abs(now - wantsSince) < wantsForMilliseconds
    const party = partyOf(organisation)
    const active = [...parties.values()].filter((each) => each === party || each.held > 0 || wants(each))
    return (
      party.held >= Math.floor(places / active.length) &&
      active.some((other) => wants(other) && other.servedAt < party.servedAt)
    )
  }

  return {
    mustWait,
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

const refusal: ProcessingRefused = { _tag: 'ConcurrencyLimitReached', retryAfterSeconds }

/** Claims and works under the claim; if accounts in processing are limited, organisations take turns. */
export const claimInTurn = ({ clock, settings }: Pick<Ports, 'clock' | 'settings'>) => {
  const limit = settings.processingConcurrencyLimit
  const turns = limit === undefined ? undefined : fairTurns(limit, clock)
  return <A>(
    organisation: string,
    claim: TaskEither<Refused, ClaimedAccount>,
    work: (claimed: ClaimedAccount) => TaskEither<Refused, A>,
  ): TaskEither<Refused, A> => {
    if (turns === undefined) return TE.flatMap(work)(claim)
    return async () => {
      if (turns.mustWait(organisation)) {
        turns.refused(organisation)
        return E.left(refusal)
      }
      turns.begun(organisation)
      try {
        const claimed = await claim()
        if (E.isRight(claimed)) {
          turns.served(organisation)
          return await work(claimed.right)()
        }
        if (claimed.left._tag === 'ConcurrencyLimitReached') turns.refused(organisation)
        return claimed
      } finally {
        turns.ended(organisation)
      }
    }
  }
}
