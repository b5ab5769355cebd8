import type { AccountDetails, Transaction } from '../domain/account-details.js'
import { accountFromPayload } from '../domain/account-from-payload.js'
import type { AccountKey } from '../domain/account-import.js'
import type { AccountForTransactions, AddedTransaction } from '../domain/adding-transactions.js'
import { accountPayload } from '../payloads/account.js'
import type { StorePorts } from '../ports/index.js'
import { toMoney } from '../values/decimal.js'
import { aSmallAccount, createdAccount, freshKey, onLocked, start, created } from './builders.js'
import { casesOf, equal, left, right } from './contract-case.js'
import { aFullAccount } from './full-account.js'

const aTransaction = (id: string, changed: Partial<Transaction> = {}): Transaction => ({
  transaction_id: id,
  transaction_date: '2025-08-01',
  amount: toMoney('-0.50'),
  type: 'CREDIT',
  line_items: [],
  tax_items: [],
  ...changed,
})

const added = (transaction: Transaction, ledger = 0, copy = 0): AddedTransaction => ({
  ledger,
  copy,
  transaction,
})

const unledgered = (transaction: Transaction, copy = 0): AddedTransaction => ({
  ledger: undefined,
  copy,
  transaction,
})

const add = (ports: StorePorts, key: AccountKey, transactions: readonly AddedTransaction[]) =>
  onLocked(ports, key, (account, { accountTransactions }) => accountTransactions.add(account, transactions))

const known = (ports: StorePorts, key: AccountKey, ids: readonly string[]): Promise<AccountForTransactions> =>
  right(onLocked(ports, key, (account, { accountTransactions }) => accountTransactions.known(account, ids)))

const detailsOf = async (ports: StorePorts, key: AccountKey): Promise<AccountDetails | undefined> =>
  (await right(ports.accounts.find(key)))?.details

/** Creates an account with these fields of the payload. */
const accountWith = async (ports: StorePorts, fields: object): Promise<AccountKey> => {
  const account = aSmallAccount(await freshKey(ports))
  const { key } = account
  const decoded = accountPayload.decode({
    import_supplier: key.importSupplier,
    external_account_number: key.externalAccountNumber,
    ...fields,
  })
  if (decoded._tag === 'Left') throw new Error('the fields must be valid')
  await created(ports, { ...account, details: accountFromPayload(decoded.right, start) })
  return key
}

const point = (identifier: string, supply_start_date: string) => ({
  identifier,
  supply_type: 'GAS',
  supply_start_date,
})
const address = (customer_at_supply_address_from_date: string, ...supply_points: readonly object[]) => ({
  supply_address: { country: 'ES' },
  customer_at_supply_address_from_date,
  supply_points,
})

const everyField = aTransaction('T', {
  reason: 'R',
  reference: "ref ' % _ ;--",
  payment_type: 'CHEQUE',
  display_note: 'línea 1\nlínea 2\t\u0001 \u2028 / \\u0041',
  note: '\u{1F4A1} “inner” \\ "quoted" e\u0301',
  product_code: '',
  amount: toMoney('9999999999.99'),
  line_items: [
    {
      rate_band: 'a "b" \\',
      start_date: '2025-01-01',
      end_date: '2025-01-31',
      number_of_units: 0.1,
      net_amount: '0.1000',
      price_per_unit: 0.0369565,
      units: [1, '2.50'],
    },
  ],
  tax_items: [{ amount: 1.5, tax_type: 'VAT', value_taxed: 7, rate: '0.2100', unit_type: 'PROPORTION' }],
})

/** Adding transactions to accounts. */
export const transactionCases = casesOf<StorePorts>('AccountTransactions', {
  'transactions are added to the current ones of their ledgers, in order, and returned unchanged': async (
    ports,
  ) => {
    const account = await created(ports, aFullAccount(await freshKey(ports)))
    const ids = ['z', 'a', 'm'].map((id) => aTransaction(id))
    const [z, a, m] = ids as [Transaction, Transaction, Transaction]
    await right(add(ports, account.key, [added(z), added(everyField, 1), added(a)]))
    await right(add(ports, account.key, [added(m)]))
    await right(add(ports, account.key, []))
    const [first, second] = account.details.ledgers
    if (first === undefined || second === undefined) throw new Error('the full account has two ledgers')
    const current = first.current_statement_transactions
    equal(await detailsOf(ports, account.key), {
      ...account.details,
      ledgers: [
        { ...first, current_statement_transactions: [...current, z, a, m] },
        { ...second, current_statement_transactions: [everyField] },
      ],
    })
  },
  'an account without ledgers keeps its transactions, in order': async (ports) => {
    const { key } = await createdAccount(ports)
    await right(add(ports, key, [unledgered(everyField), unledgered(aTransaction('b'))]))
    await right(add(ports, key, [unledgered(aTransaction('a'))]))
    equal((await detailsOf(ports, key))?.transactions_without_ledger, [
      everyField,
      aTransaction('b'),
      aTransaction('a'),
    ])
    const { timesAdded } = await known(ports, key, ['a', 'T'])
    equal([timesAdded.get('a'), timesAdded.get('T')], [1, 1])
  },
  'exact ids are found with their counts, including those that the account was created with': async (
    ports,
  ) => {
    const account = await created(ports, aFullAccount(await freshKey(ports)))
    const alike = ['x', 'X', 'x ', ' x', 'é', 'e\u0301', '"', '\\', '🔌', 'x'.repeat(255)]
    await right(
      add(
        ports,
        account.key,
        alike.map((id, index) => added(aTransaction(id), index % 2)),
      ),
    )
    await right(add(ports, account.key, [added(aTransaction('T-2'), 0, 1), added(aTransaction('T-2'), 1, 2)]))
    const asked = [...alike, 'T-1', 'T-2', 'T-3', 'T-2', 't-1', 'none', 'ｘ', 'x'.repeat(254)]
    const { timesAdded } = await known(ports, account.key, asked)
    const expected = [...alike.map((id): [string, number] => [id, 1]), ['T-1', 1], ['T-2', 3], ['T-3', 1]]
    equal(
      new Map([...timesAdded].filter(([id]) => asked.includes(id))),
      new Map(expected as [string, number][]),
    )
    const other = await createdAccount(ports)
    equal((await known(ports, other.key, asked)).timesAdded, new Map(), 'another account has none of them')
  },
  'a second transaction of one id and copy, or of an unknown ledger, is a failure and adds nothing': async (
    ports,
  ) => {
    const { key } = await createdAccount(ports)
    await right(add(ports, key, [unledgered(aTransaction('a'))]))
    const before = await detailsOf(ports, key)
    for (const again of [
      [unledgered(aTransaction('b')), unledgered(aTransaction('a'))],
      [unledgered(aTransaction('c')), unledgered(aTransaction('c'))],
    ])
      equal((await left(add(ports, key, again)))._tag, 'PortFailure')
    equal((await left(add(ports, key, [added(aTransaction('d'))])))._tag, 'PortFailure', 'no such ledger')
    equal(await detailsOf(ports, key), before)
    await right(add(ports, key, [unledgered(aTransaction('a'), 1)]))
    equal((await known(ports, key, ['a'])).timesAdded.get('a'), 2)
  },
  'ledgers are returned in the order of the payload, with their closing dates, and the start of supply':
    async (ports) => {
      const key = await accountWith(ports, {
        ledgers: [
          { ledger_code: 'Z', last_statement_closing_date: '2025-06-30' },
          { ledger_code: 'a' },
          { ledger_code: 'A', last_statement_closing_date: '9999-12-31' },
        ],
        supply_addresses: [
          address('2021-01-01', point('x', '2024-02-29')),
          address('2020-06-01', point('y', '2023-05-01'), point('z', '2024-01-01')),
        ],
      })
      equal(await known(ports, key, []), {
        ledgers: [
          { ledgerCode: 'Z', lastStatementClosingDate: '2025-06-30' },
          { ledgerCode: 'a', lastStatementClosingDate: undefined },
          { ledgerCode: 'A', lastStatementClosingDate: '9999-12-31' },
        ],
        timesAdded: new Map(),
        earliestSupplyStart: '2023-05-01',
        earliestAtAddress: '2020-06-01',
        createdAt: start,
      })
      const bare = await accountWith(ports, { supply_addresses: [address('2021-01-01')] })
      equal(await known(ports, bare, ['a']), {
        ledgers: [],
        timesAdded: new Map(),
        earliestSupplyStart: undefined,
        earliestAtAddress: '2021-01-01',
        createdAt: start,
      })
    },
  'a thousand transactions are added at once, and found again': async (ports) => {
    const { key } = await createdAccount(ports)
    const many = Array.from({ length: 1000 }, (_, index) => aTransaction(`T-${index}`, { note: `${index}` }))
    await right(
      add(
        ports,
        key,
        many.map((transaction) => unledgered(transaction)),
      ),
    )
    equal((await detailsOf(ports, key))?.transactions_without_ledger, many)
    const { timesAdded } = await known(
      ports,
      key,
      many.map(({ transaction_id }) => transaction_id),
    )
    equal(timesAdded.size, 1000)
  },
})
