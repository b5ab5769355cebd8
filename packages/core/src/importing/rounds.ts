import { E } from '../fp.js'
import type { AccountImports } from '../ports/account-imports.js'
import { portFailure } from '../ports/port-failure.js'
import { retryAfterSeconds } from './import-refusals.js'
import { type NonEmpty, withOutcomes } from '../lists/lists.js'
import { answered, type At, at, endedBy, isOpen, type OnItsWay, type Page, refused } from './on-its-way.js'

type Creations = Pick<AccountImports, 'create'>

/** Asks the store for creations: each is created, refused, or its data is to be judged first. */
export const askStore =
  ({ create }: Creations) =>
  async (asking: readonly At<'asking'>[]): Promise<Page> => {
    const outcomes = await create(asking.map(({ creation }) => creation))
    return withOutcomes(asking, outcomes).map(({ item, outcome }): OnItsWay => {
      const { accepted, token, creation, warnings, account } = item
      switch (outcome._tag) {
        case 'created': {
          const { platformAccountNumber } = creation
          return answered(item, E.right({ platformAccountNumber, warnings }), account)
        }
        case 'needs_validation':
          return { step: 'unread', accepted, token, creation }
        case 'not_staged':
          return refused(item, { _tag: 'NothingStaged' })
        case 'claim_lost':
          return refused(item, { _tag: 'ClaimLost', key: creation.key, retryAfterSeconds })
        default:
          return endedBy(item, outcome)
      }
    })
  }

export type Round = (page: Page) => Promise<Page>

/**
 * One round of creation: the store creates the accounts whose data it knows to be valid; `judge` judges the data of others, as many as
 * it reads at once, and the store creates these by the version that was judged.
 */
export const roundOf = (
  accountImports: Creations,
  judge: (unread: NonEmpty<At<'unread'>>) => Promise<Page>,
): Round => {
  const ask = askStore(accountImports)
  return async (page) => {
    const asked = await at(page, 'asking', ask)
    const judged = await at(asked, 'unread', judge)
    return at(judged, 'asking', ask)
  }
}

const openIn = (page: Page): number => page.filter(isOpen).length

/** Repeats rounds until no account is open, or `mostIdle` of them in a row closed none. */
export const repeated = async (page: Page, round: Round, mostIdle: number): Promise<Page> => {
  let now = page
  let open = openIn(now)
  for (let idle = 0; open > 0 && idle < mostIdle;) {
    now = await round(now)
    const left = openIn(now)
    idle = left < open ? 0 : idle + 1
    open = left
  }
  return now
}

const mostIdleRounds = 3

/** Repeats rounds in which no data can change. Three in a row that close no account are a fault of the store. */
export const untilNoneIsOpen = async (page: Page, round: Round): Promise<Page> =>
  (await repeated(page, round, mostIdleRounds)).map((each) => {
    const cause = new Error('staged data changed each time that it was judged')
    return isOpen(each) ? refused(each, portFailure('unexpected', 'accountImports', 'create', cause)) : each
  })
