import { pause } from '../concurrency/pause.js'
import { accountFromPayload } from '../domain/account-from-payload.js'
import type { Account } from '../domain/account.js'
import type { ImportSupplier } from '../domain/import-supplier.js'
import { E, type Either } from '../fp.js'
import type { AccountImports, Creation, StagedData } from '../ports/account-imports.js'
import { largeAccountBytes } from '../ports/accounts.js'
import type { Ports } from '../ports/index.js'
import { portFailure, type PortFailure } from '../ports/port-failure.js'
import { type CheckedAccount, validatedAccount } from '../checking/check-payload.js'
import type { AccountFailedValidation } from '../checking/errors.js'
import { rulesInForce } from '../checking/rules-in-force.js'
import { needsDetails } from './accept-requests.js'
import { notCurrent, retryAfterSeconds } from './import-refusals.js'
import { withOutcomes } from '../lists/lists.js'
import {
  answered,
  type At,
  at,
  endedBy,
  isOpen,
  keyOf,
  type OnItsWay,
  type Page,
  refused,
} from './on-its-way.js'

type JudgePorts = Pick<Ports, 'accounts' | 'clock' | 'settings'>

const accountOf = (creation: Creation, version: number, details: Account['details']): Account => {
  const { key, platformAccountNumber, operationsTeam, at: createdAt, importRun } = creation
  return {
    key,
    platformAccountNumber,
    operationsTeam,
    stagedVersion: version,
    createdAt,
    ...(importRun !== undefined && { importRun }),
    details,
  }
}

/** Validates staged data. A fault in the data, or in a rule of a market, fails no other account of the page. */
const checkedAlone = (
  ports: JudgePorts,
  payload: string,
  supplier: ImportSupplier,
): Either<AccountFailedValidation | PortFailure, CheckedAccount> => {
  try {
    return validatedAccount(ports)(JSON.parse(payload), supplier)
  } catch (thrown) {
    // The message of a parser may quote the data.
    const cause = thrown instanceof SyntaxError ? new Error('staged data is no JSON') : thrown
    return E.left(portFailure('unexpected', 'accountImports', 'create', cause))
  }
}

/** Validates staged data by the present settings, and reads the account if somebody needs it. */
const judged = (ports: JudgePorts, each: At<'to_judge'>, { version, payload }: StagedData): OnItsWay => {
  const { accepted, token, creation } = each
  const { supplier } = accepted
  const checked = checkedAlone(ports, payload, supplier)
  // A supplier that was read a moment ago refuses nothing.
  if (E.isLeft(checked))
    return creation.supplierRevision === undefined ? answered(each, checked) : refused(each, notCurrent)
  const { account, warnings } = checked.right
  return {
    step: 'asking',
    accepted,
    token,
    creation: { ...creation, version, validatedUnder: rulesInForce(ports.settings, supplier) },
    warnings,
    account: needsDetails(ports, supplier)
      ? accountOf(creation, version, accountFromPayload(account, creation.at))
      : undefined,
  }
}

/**
 * Reads the data of as many accounts as the store returns at once, and judges it: each is refused, or is to be created from the
 * version that was found valid. Data that was removed meanwhile is left to the store. Other requests have their turn before much data.
 */
const judgeStagedData =
  (ports: JudgePorts, accountImports: Pick<AccountImports, 'staged'>) =>
  async (toJudge: readonly At<'to_judge'>[]): Promise<Page> => {
    const staged = await accountImports.staged(toJudge.map(keyOf))
    if (E.isLeft(staged)) return toJudge.map((each) => answered(each, staged))
    const length = staged.right.reduce((sum, data) => sum + (data?.payload?.length ?? 0), 0)
    if (length > largeAccountBytes) await pause(0)
    return toJudge.map((each, index): OnItsWay => {
      const data = staged.right[index]
      if (data?.failure !== undefined) return refused(each, data.failure)
      if (data !== undefined) return judged(ports, each, data)
      return index < staged.right.length ? { ...each, step: 'asking', warnings: [] } : each
    })
  }

/** Asks the store for creations: each is created, refused, or its data is to be judged first. */
const askStore =
  ({ create }: Pick<AccountImports, 'create'>) =>
  async (asking: readonly At<'asking'>[]): Promise<Page> => {
    const outcomes = await create(asking.map(({ creation }) => creation))
    return withOutcomes(asking, outcomes).map(({ item, outcome }): OnItsWay => {
      const { accepted, token, creation, warnings, account } = item
      const isByRecent = creation.supplierRevision !== undefined
      switch (outcome._tag) {
        case 'created': {
          const { platformAccountNumber } = creation
          return answered(
            item,
            E.right({ platformAccountNumber, warnings: outcome.warnings ?? warnings }),
            account,
          )
        }
        case 'needs_validation':
          return { step: 'to_judge', accepted, token, creation }
        case 'not_staged':
          return refused(item, isByRecent ? notCurrent : { _tag: 'NothingStaged' })
        case 'not_current':
          return refused(item, notCurrent)
        case 'claim_lost':
          return refused(item, { _tag: 'ClaimLost', key: creation.key, retryAfterSeconds })
        default:
          return endedBy(item, outcome)
      }
    })
  }

export type Round = (page: Page) => Promise<Page>

/** Does the work once there is a slot, for which organisations take turns. */
export type WithSlot = (organisation: string, work: () => Promise<Page>) => Promise<Page>

/**
 * One round of creation: the store creates the accounts whose data it knows to be valid; the data of others is judged, of as many as
 * are read at once, and the store creates these by the version that was judged. Texts are read and judged in a slot.
 */
export const roundOf = (
  ports: JudgePorts,
  accountImports: Pick<AccountImports, 'create' | 'staged'>,
  withSlot: WithSlot = (_, work) => work(),
): Round => {
  const ask = askStore(accountImports)
  const judge = judgeStagedData(ports, accountImports)
  return async (page) => {
    const asked = await at(page, 'asking', ask)
    const judged = await at(asked, 'to_judge', (some) =>
      withSlot(keyOf(some[0]).organisation, () => judge(some)),
    )
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
