import { slots } from '../concurrency/fair-queue.js'
import { pauses } from '../concurrency/pause.js'
import { type AccountFigures, comparedPieces, figuresOf, valuesByPath } from '../domain/account-digest.js'
import { accountFromPayload } from '../domain/account-from-payload.js'
import type { AccountKey } from '../domain/account-import.js'
import type { Account } from '../domain/account.js'
import { E, type Either, pipe } from '../fp.js'
import type { AccountPayload } from '../payloads/account.js'
import type { StagedPayload } from '../ports/account-imports.js'
import type { AccountsPageRequest, StoredAccount, StoredPage } from '../ports/accounts.js'
import type { Ports } from '../ports/index.js'
import { type PortFailure, portFailure, type PortResult } from '../ports/port-failure.js'
import { hashOf } from '../ports/secrets.js'
import { compareCodePoints } from '../values/compare.js'
import { instantOf } from '../values/instant.js'
import type { AccountImportNotFound, SupplierNotFound, UseCaseResult } from '../checking/errors.js'
import { eachInTurn } from '../lists/lists.js'
import { pageOf, type ListPage } from '../lists/pages.js'
import { ofSupplier } from './look-ups.js'

const numberOf = ({ externalAccountNumber }: Readonly<{ externalAccountNumber: string }>): string =>
  externalAccountNumber

/** The digest of an account, in place of its data: proves that two accounts are equal; `figures` can be added up. */
export type AccountDigest = Readonly<{
  externalAccountNumber: string
  state: 'staged' | 'created'
  /** The first 32 hexadecimal digits of a SHA-256 over all data of the account. */
  digest: string
  /** The number of additions since the account was created. */
  additions: number
  figures: AccountFigures
}>

/** A digest for each value of an account, with its path (`valuesByPath`). */
export type FieldDigests = Readonly<{
  state: AccountDigest['state']
  fields: readonly Readonly<{ path: string; digest: string }>[]
}>

type DigestPorts = Pick<Ports, 'accountImports' | 'accounts' | 'importSuppliers' | 'secrets'>

/** An account, created or only staged. `read`: its data, which takes a multiple of the memory of its text. */
type FoundAccount = Pick<AccountDigest, 'externalAccountNumber' | 'state' | 'additions'> &
  Readonly<{ read: () => Either<PortFailure, Pick<Account, 'details' | 'createdAt'>> }>

/** The time of notes without a time in staged data, which has no time of creation. */
const beginning = instantOf(0)

const stagedAccount = ({ externalAccountNumber, payload }: StagedPayload): FoundAccount => ({
  externalAccountNumber,
  state: 'staged',
  additions: 0,
  read: () =>
    E.tryCatch(
      () => ({
        createdAt: beginning,
        details: accountFromPayload(JSON.parse(payload) as AccountPayload, beginning),
      }),
      // The message of the exception contains a part of the payload.
      () => portFailure('unexpected', 'accountImports', 'staged', new Error('staged data is no account')),
    ),
})

const createdAccount = ({ account, additions }: StoredAccount): FoundAccount => ({
  externalAccountNumber: account.key.externalAccountNumber,
  state: 'created',
  additions,
  read: () => E.right(account),
})

const hexDigits = 32

const digestOf = async (ports: Pick<Ports, 'secrets'>, text: string): PortResult<string> =>
  pipe(
    await hashOf(ports, text),
    E.map((hash) => hash.slice(0, hexDigits)),
  )

/** Milliseconds of work on stored accounts before other requests get their turn. */
const sliceMilliseconds = 5

type PauseIfDue = ReturnType<typeof pauses>

/**
 * Work on the values of a stored account, one after the other in a fair queue by organisation: an account that fills a body takes
 * a multiple of it in memory, and no request that names it has a body by which it could be admitted. The work calls no port, so a
 * port that never answers keeps no other request waiting.
 */
type InTurn = <A>(organisation: string, work: (pauseIfDue: PauseIfDue) => Promise<A>) => Promise<A>

/** The text whose hash is the digest of an account, and its figures. */
const comparedText =
  ({ read }: FoundAccount) =>
  async (pauseIfDue: PauseIfDue) => {
    const account = read()
    if (E.isLeft(account)) return account
    const pieces: string[] = []
    for (const piece of comparedPieces(account.right)) {
      pieces.push(piece)
      await pauseIfDue()
    }
    return E.right({ text: pieces.join(''), figures: figuresOf(account.right.details) })
  }

/** Digests one account after the other, so that only one is in memory as values. */
const digested = (
  ports: DigestPorts,
  inTurn: InTurn,
  organisation: string,
  accounts: readonly FoundAccount[],
): PortResult<readonly AccountDigest[]> =>
  eachInTurn(accounts, async (account) => {
    const compared = await inTurn(organisation, comparedText(account))
    if (E.isLeft(compared)) return compared
    const { externalAccountNumber, state, additions } = account
    const { text, figures } = compared.right
    return pipe(
      await digestOf(ports, text),
      E.map((digest): AccountDigest => ({ externalAccountNumber, state, digest, additions, figures })),
    )
  })

/** The number up to which a page has all accounts of its kind; undefined if these are all. */
const endOf = <Item>({ items, isLast }: StoredPage<Item>, nameOf: (item: Item) => string) => {
  const last = items.at(-1)
  return isLast || last === undefined ? undefined : nameOf(last)
}

const byNumber = (one: FoundAccount, other: FoundAccount): number =>
  compareCodePoints(one.externalAccountNumber, other.externalAccountNumber)

/**
 * Created accounts and staged ones of a page, in the order of their numbers. Staged ones are read first, so that an account that
 * is created meanwhile is in both lists; in the reverse order it could be in neither. Where one list ends early, so does the page.
 */
const foundPage = async (
  ports: DigestPorts,
  request: AccountsPageRequest,
): PortResult<ListPage<FoundAccount, string>> => {
  const staged = await ports.accountImports.stagedPayloads(request)
  if (E.isLeft(staged)) return staged
  const created = await ports.accounts.page(request)
  if (E.isLeft(created)) return created
  const accounts = created.right.items.map(createdAccount)
  const numbers = new Set(accounts.map(numberOf))
  const ends = [endOf(staged.right, numberOf), endOf(created.right, ({ account }) => numberOf(account.key))]
  const [end] = ends.flatMap((each) => each ?? []).sort(compareCodePoints)
  const found = [
    ...accounts,
    ...staged.right.items.filter((each) => !numbers.has(each.externalAccountNumber)).map(stagedAccount),
  ]
    .filter((each) => end === undefined || compareCodePoints(numberOf(each), end) <= 0)
    .sort(byNumber)
  const { items, next } = pageOf(found, request.limit, numberOf)
  return E.right({ items, next: next ?? end })
}

/** One page of the digests of a supplier's accounts, those that are created and those that are staged. */
const accountDigests =
  (ports: DigestPorts, inTurn: InTurn) =>
  (request: AccountsPageRequest): UseCaseResult<SupplierNotFound, ListPage<AccountDigest, string>> =>
    ofSupplier(ports)(request, async () => {
      const page = await foundPage(ports, request)
      if (E.isLeft(page)) return page
      const { items, next } = page.right
      return pipe(
        await digested(ports, inTurn, request.organisation, items),
        E.map((digests) => ({ items: digests, next })),
      )
    })

const findAccount = async (
  ports: DigestPorts,
  key: AccountKey,
): UseCaseResult<AccountImportNotFound, FoundAccount> => {
  const { externalAccountNumber } = key
  const account = await ports.accounts.find(key)
  if (E.isLeft(account)) return account
  if (account.right !== undefined) return E.right(createdAccount({ account: account.right, additions: 0 }))
  const staged = await ports.accountImports.staged([key])
  if (E.isLeft(staged)) return staged
  const [data] = staged.right
  if (data === undefined) return E.left({ _tag: 'AccountImportNotFound' })
  return data.failure !== undefined
    ? E.left(data.failure)
    : E.right(stagedAccount({ externalAccountNumber, payload: data.payload }))
}

const digestedFields = async (
  ports: DigestPorts,
  inTurn: InTurn,
  organisation: string,
  { externalAccountNumber, state, read }: FoundAccount,
): PortResult<FieldDigests> => {
  const values = await inTurn(organisation, async (pauseIfDue) => {
    const account = read()
    if (E.isLeft(account)) return account
    const found: (readonly [string, string])[] = []
    for (const each of valuesByPath(account.right)) {
      found.push(each)
      await pauseIfDue()
    }
    return E.right(found)
  })
  if (E.isLeft(values)) return values
  const pauseIfDue = pauses(sliceMilliseconds)
  const fields = await eachInTurn(values.right, async ([path, value]) => {
    await pauseIfDue()
    return pipe(
      await digestOf(ports, fieldText(externalAccountNumber, path, value)),
      E.map((digest) => ({ path, digest })),
    )
  })
  return pipe(
    fields,
    E.map((found) => ({ state, fields: found })),
  )
}

/** A digest for each value of one account. It includes the account number, so that equal values of two accounts differ. */
const fieldDigests =
  (ports: DigestPorts, inTurn: InTurn) =>
  (key: AccountKey): UseCaseResult<SupplierNotFound | AccountImportNotFound, FieldDigests> =>
    ofSupplier(ports)(key, async () => {
      const account = await findAccount(ports, key)
      if (E.isLeft(account)) return account
      return digestedFields(ports, inTurn, key.organisation, account.right)
    })

/** The input of the digest of a value. */
export const fieldText = (number: string, path: string, value: string): string =>
  JSON.stringify([number, path, value])

/** Digests of accounts, in place of their data. */
export const digestUseCases = (ports: DigestPorts) => {
  const turns = slots(1)
  const inTurn: InTurn = (organisation, work) =>
    turns.run(organisation, new AbortController().signal, () => work(pauses(sliceMilliseconds)))
  return { accountDigests: accountDigests(ports, inTurn), fieldDigests: fieldDigests(ports, inTurn) }
}
