import type { Account, AccountDetails, AccountPayload, Instant, Ledger } from '@account-import/core'
import { accountFromPayload, accountKeyText } from '@account-import/core/adapter-kit'
import { plusSeconds } from '@account-import/core/testing'
import { isDeepStrictEqual } from 'node:util'
import { counted } from '../../support/counted.js'
import { itemsOf } from '../../support/items-of.js'
import type { Looked } from './look-at.js'
import type { Tally } from '../loads/tally.js'

/** The contents of a created account, by the data that it was created from. */
const createdDetails = (account: Account, payload: string): AccountDetails =>
  accountFromPayload(JSON.parse(payload) as AccountPayload, account.createdAt)

/** The account without its additions, which come after the items of its creation. */
const withoutAdditions = (stored: AccountDetails, created: AccountDetails): AccountDetails => ({
  ...stored,
  notes: stored.notes.slice(0, created.notes.length),
  ledgers: stored.ledgers.map((ledger, place) => ({
    ...ledger,
    current_statement_transactions: ledger.current_statement_transactions.slice(
      0,
      created.ledgers[place]?.current_statement_transactions.length ?? 0,
    ),
  })),
  transactions_without_ledger: [],
  statements: stored.statements.slice(0, created.statements.length),
  payment_instructions: [],
})

/** The faults of the items of an account: acknowledged and missing, repeated, incomplete, or never sent. */
const itemFaults = (
  number: string,
  details: AccountDetails,
  created: readonly string[],
  { settled, unanswered }: ReturnType<Tally['additionsTo']>,
): readonly string[] => {
  const counts = counted(itemsOf(details))
  const allowed = counted(created)
  const isThere = (item: string): boolean => counts[item] !== undefined
  const sent = new Set([...created, ...[...settled, ...unanswered].flatMap(({ items }) => items)])
  const missing = settled.flatMap(({ items }) => items.filter((item) => !isThere(item)))
  const doubled = Object.entries(counts).filter(([item, count]) => count > Math.max(1, allowed[item] ?? 0))
  const cut = unanswered.flatMap(({ items }) => {
    const there = items.filter(isThere).length
    return there === 0 || there === items.length ? [] : [`${there} of ${items.length} items of ${items[0]}`]
  })
  const unknown = Object.keys(counts).filter((item) => !sent.has(item))
  return [
    ...missing.map((item) => `I2: ${number}: ${item} was answered and is not there`),
    ...doubled.map(([item, count]) => `I5: ${number}: ${item} is there ${count} times`),
    ...cut.map((fault) => `I3: ${number}: ${fault}`),
    ...unknown.map((item) => `I3: ${number}: ${item} was never sent`),
  ]
}

/** Faults in the contents of a created account: complete, each addition once, and no item that was never sent. */
export const accountFaults = ({ key, account, staged }: Looked, tally: Tally): readonly string[] => {
  if (account === undefined || staged === undefined) return []
  const { externalAccountNumber: number } = key
  const created = createdDetails(account, staged.payload)
  const isWhole = isDeepStrictEqual(withoutAdditions(account.details, created), created)
  return [
    ...(isWhole ? [] : [`I3: ${number}: not what it was created from`]),
    ...itemFaults(number, account.details, itemsOf(created), tally.additionsTo(key)),
  ]
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

const centsOf = (transactions: readonly Readonly<{ amount: string }>[]): bigint =>
  sum(transactions.map(({ amount }) => BigInt(amount.replace('.', ''))))

const ofLedger = (ledger: Ledger): bigint =>
  centsOf([...ledger.current_statement_transactions, ...ledger.historical_statement_transactions])

/** The sums of the ledgers of an account, and then of the items without one. */
const sumsOf = ({ ledgers, transactions_without_ledger: others }: AccountDetails): readonly bigint[] => [
  ...ledgers.map(ofLedger),
  centsOf(others),
]

/** The sum of each ledger of an account, and of the sent items; without a response, those that are stored. */
const compared = ({ key, account, staged }: Looked, tally: Tally) => {
  if (account === undefined || staged === undefined) return []
  const there = new Set(itemsOf(account.details))
  const { settled, unanswered } = tally.additionsTo(key)
  const added = [...settled, ...unanswered.filter(({ items: [first = ''] }) => there.has(first))]
  const expected = sumsOf(createdDetails(account, staged.payload))
  const first = sum(added.map(({ cents }) => cents))
  return sumsOf(account.details).map((stored, place) => ({
    stored,
    expected: (expected[place] ?? 0n) + (place === 0 ? first : 0n),
  }))
}

const unequal = (name: string, sums: readonly Readonly<{ stored: bigint; expected: bigint }>[]) => {
  const stored = sum(sums.map((each) => each.stored))
  const expected = sum(sums.map((each) => each.expected))
  return stored === expected ? [] : [`I6: ${name} holds ${stored} cents, sent were ${expected}`]
}

/** Missing or surplus money: in each ledger, each account, and the supplier as a whole. */
export const moneyFaults = (supplier: string, looked: readonly Looked[], tally: Tally): readonly string[] => {
  const accounts = looked.map((each) => ({
    name: each.key.externalAccountNumber,
    sums: compared(each, tally),
  }))
  return [
    ...accounts.flatMap(({ name, sums }) =>
      sums.flatMap((each, place) => unequal(`${name}, ledger ${place}`, [each])),
    ),
    ...accounts.flatMap(({ name, sums }) => unequal(name, sums)),
    ...unequal(
      supplier,
      accounts.flatMap(({ sums }) => sums),
    ),
  ]
}

/** The fault if its condition does not hold: the name of the invariant, and the difference. */
type Rule = readonly [holds: boolean, fault: string]

const sentPayloads = ({ key, staged }: Looked, tally: Tally): boolean =>
  staged === undefined ||
  tally.payloadsOf(key).some((payload) => isDeepStrictEqual(payload, JSON.parse(staged.payload)))

const ofAccount = ({ key, found, account, emails }: Looked, tally: Tally): readonly Rule[] => {
  const created = found?.created
  const told = tally.told.get(accountKeyText(key))
  const number = account?.platformAccountNumber
  return [
    [told === undefined || told === number, `I2: was answered with ${told} and has ${number}`],
    [created?.platformAccountNumber === number, `I3, I4: import and account are not created together`],
    [created?.createdAt === account?.createdAt, 'I3: import and account have different times'],
    [created?.stagedVersion === account?.stagedVersion, 'I3: the account is of another version'],
    [emails.every((email) => email.platformAccountNumber === number), 'I3: an e-mail without its account'],
    [emails.length <= 1, `I3: ${emails.length} e-mails`],
  ]
}

const ofImport = (looked: Looked, tally: Tally, at: Instant, claimSeconds: number): readonly Rule[] => {
  const { key, found, staged } = looked
  const version = staged?.version ?? 0
  const created = found?.created
  const claim = found?.claim
  const isLive = claim !== undefined && claim.expiresAt > at
  return [
    [(found?.stagedVersion ?? 0) === version, 'I3: the version is not that of the staged data'],
    [sentPayloads(looked, tally), 'I3: what is staged was never sent'],
    [
      version >= tally.stagingsOf(key) && version <= tally.payloadsOf(key).length,
      `I2: staged ${version} times, acknowledged were ${tally.stagingsOf(key)}`,
    ],
    [
      created === undefined || created.stagedVersion === found?.stagedVersion,
      'I3: staged after it was created',
    ],
    [
      !isLive || claim.expiresAt <= plusSeconds(at, claimSeconds),
      'I4: a claim that lasts longer than claims do',
    ],
    [!isLive || created === undefined, 'I4, I7: in progress and created'],
    [!isLive || found?.skipped !== true, 'I7: in progress and skipped'],
    [created === undefined || found?.skipped !== true, 'I7: created and skipped'],
  ]
}

export const importFaults = (
  looked: Looked,
  tally: Tally,
  at: Instant,
  claimSeconds: number,
): readonly string[] =>
  [...ofAccount(looked, tally), ...ofImport(looked, tally, at, claimSeconds)]
    .filter(([holds]) => !holds)
    .map(([, fault]) => `${looked.key.externalAccountNumber}: ${fault}`)
