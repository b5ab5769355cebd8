import type { Account, AccountKey, AddedItems, UndoableAccount } from '@account-import/core'
import { slots } from '@account-import/core/adapter-kit'
import type { Knex } from 'knex'
import { poolUse } from '../connect-sql.js'
import { type OnRetry, withRetries } from '../sql/failures.js'
import { type Db, onConnection, type Session } from '../sql/session.js'

/** An account, and the number by which the embedding program knows it. */
export type KnownAccount = Readonly<{ key: AccountKey; platformAccountNumber: string }>

/** `additions`: the number of additions since it was created. */
export type UndoneAccount = KnownAccount & UndoableAccount

/** `items`: those that one request added, each list in its order; absent lists have none. */
export type ExtendedAccount = KnownAccount & Readonly<{ items: Partial<AddedItems> }>

/**
 * Writes to tables of the embedding program, only by `trx`: the transaction that changes the accounts. It is called again at each
 * retry of the transaction, and when it throws, the transaction changes nothing. Returns the platform account numbers of the
 * accounts whose change it refuses; these are not changed. Nothing: it agrees to all.
 */
export type Hook<Changed> = (trx: Knex, accounts: readonly Changed[]) => Promise<readonly string[] | void>

export type OnAccountsCreated = (trx: Knex, accounts: readonly Account[]) => Promise<void>

/** The functions of an embedding program that run in the transactions of the service. */
export type Hooks = Readonly<{
  /** After the accounts were created. When it throws, none is created; it refuses no single account. */
  onAccountsCreated?: OnAccountsCreated | undefined
  /** Before up to 100 accounts are undone. */
  onAccountsUndone?: Hook<UndoneAccount> | undefined
  /** Before the personal data of an account that was created is erased: a list of one, also where it was erased before. */
  onAccountsErased?: Hook<KnownAccount> | undefined
  /** After a request added items to an account: a list of one. */
  onItemsAdded?: Hook<ExtendedAccount> | undefined
}>

/** Runs the work in a transaction of its own, for its organisation. It gets a Knex of the transaction where there are hooks. */
export type HookTransaction = <A>(
  organisation: string,
  work: (db: Db, trx: Knex | undefined) => Promise<A>,
) => Promise<A>

/** Work that has waited for its turn this long fails as `unavailable`: the transactions before it wait for locks of others. */
const mostMilliseconds = 30_000

/** Transactions of one organisation that may hold a single connection or wait for it: while one runs, the next is ready. */
const mostOnOne = 2

/**
 * Such a transaction holds its connection while it waits for locked rows. Therefore one organisation has at most three quarters of
 * the pool for them. Knex makes the transactions only where the embedding program writes by a Knex too.
 */
export const hookTransaction = (
  knex: Knex,
  pool: Session,
  hooks: Hooks,
  onRetry: OnRetry,
): HookTransaction => {
  const { most } = poolUse(knex)
  const owner = most < 2 ? mostOnOne : Math.floor((most * 3) / 4)
  const places = slots(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, { owner })
  const isHooked = Object.values(hooks).some((hook) => hook !== undefined)
  return (organisation, work) =>
    places.run(organisation, AbortSignal.timeout(mostMilliseconds), () =>
      isHooked
        ? withRetries(
            () => knex.transaction((trx) => onConnection(trx, pool, (db) => work(db, trx))),
            onRetry,
          )
        : pool.transaction((db) => work(db, undefined)),
    )
}

/** The platform account numbers that the hook refuses. Throws a `TypeError` for a result that does not name accounts of the call. */
export const refusedBy = async <Changed extends KnownAccount>(
  hook: Hook<Changed> | undefined,
  trx: Knex | undefined,
  accounts: readonly Changed[],
): Promise<ReadonlySet<string>> => {
  if (hook === undefined || trx === undefined || accounts.length === 0) return new Set()
  const refused: unknown = (await hook(trx, accounts)) ?? []
  const numbers = new Set<unknown>(accounts.map(({ platformAccountNumber }) => platformAccountNumber))
  if (!Array.isArray(refused) || !refused.every((each) => numbers.has(each)))
    throw new TypeError('a hook returns platform account numbers of the accounts that it was called with')
  return new Set(refused)
}
