import { type Account, instantOf, type Transaction } from '@account-import/core'
import { makeUseCases } from '@account-import/core/fp'
import { toMoney } from '@account-import/core/adapter-kit'
import { aFullAccount, created } from '@account-import/core/contract-tests'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { blocksOf } from '../docs/readme.js'
import { answer } from '../support/answers.js'
import { newKey, ringOf } from '../support/key-rings.js'
import { textOf } from '../support/repository.js'
import { createAccount } from './support/created-account.js'
import { setUp } from '../support/set-up.js'
import { isPostgresql, testDatabases, type Opened } from './support/databases.js'
import { keyOf } from './support/imports.js'

const { onEach } = testDatabases()

const statementsIn = (text: string): readonly string[] =>
  text
    .replaceAll(/^--.*\n/gm, '')
    .split(/;\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')

const createViews = async ({ knex }: Opened, title: string): Promise<void> => {
  const file = title.endsWith('(SQLite)') ? 'sqlite' : isPostgresql(knex) ? 'postgresql' : 'mysql'
  for (const statement of statementsIn(textOf(`examples/sql-views/${file}.sql`))) await knex.raw(statement)
}

type Row = Readonly<Record<string, unknown>>

const rowsOf = async ({ knex }: Opened, view: string, columns: readonly string[]): Promise<unknown> => {
  const rows = (await knex(view).select(...columns)) as readonly Row[]
  return rows.map((row) => columns.map((column) => (row[column] === null ? undefined : String(row[column]))))
}

const sorted = (rows: readonly (readonly (string | undefined)[])[]): unknown =>
  rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))

const amounts = (transactions: readonly Transaction[], ledger: number | undefined, period: string) =>
  transactions.map(({ transaction_id, amount, transaction_date }) => [
    transaction_id,
    ledger === undefined ? undefined : String(ledger + 1),
    period,
    transaction_date,
    amount,
  ])

/** The rows of each view for an account, as the account has them. */
const shownOf = ({ details }: Account) => {
  const points = details.supply_addresses.flatMap(({ supply_points }, address) =>
    supply_points.map((point, ordinal) => ({ point, address, ordinal })),
  )
  return {
    account_customers: {
      columns: ['ordinal', 'given_name', 'family_name', 'email', 'mobile', 'landline'],
      rows: details.customers.map(({ given_name, family_name, email, mobile, landline }, at) => [
        String(at + 1),
        given_name,
        family_name,
        email,
        mobile,
        landline,
      ]),
    },
    account_supply_points: {
      columns: ['address', 'ordinal', 'identifier', 'supply_type', 'supply_start_date'],
      rows: points.map(({ point, address, ordinal }) => [
        String(address + 1),
        String(ordinal + 1),
        point.identifier,
        point.supply_type,
        point.supply_start_date,
      ]),
    },
    account_agreements: {
      columns: ['identifier', 'ordinal', 'tariff_code', 'effective_from', 'effective_to'],
      rows: points.flatMap(({ point }) =>
        point.agreements.map(({ tariff_code, effective_from, effective_to }, at) => [
          point.identifier,
          String(at + 1),
          tariff_code,
          effective_from,
          effective_to,
        ]),
      ),
    },
    account_ledgers: {
      columns: ['ordinal', 'ledger_code', 'ledger_balance', 'last_statement_balance'],
      rows: details.ledgers.map(({ ledger_code, ledger_balance, last_statement_balance }, at) => [
        String(at + 1),
        ledger_code,
        ledger_balance,
        last_statement_balance,
      ]),
    },
    account_transactions: {
      columns: ['transaction_id', 'ledger', 'period', 'transaction_date', 'amount'],
      rows: [
        ...details.ledgers.flatMap((ledger, at) => [
          ...amounts(ledger.current_statement_transactions, at, 'current'),
          ...amounts(ledger.historical_statement_transactions, at, 'historical'),
        ]),
        ...amounts(details.transactions_without_ledger, undefined, 'current'),
      ],
    },
  }
}

const start = instantOf(Date.parse('2026-11-21T02:15:13.123Z'))

/** Adds a transaction to the second ledger of the account. */
const addTransaction = async ({ ports }: Opened, number: string): Promise<void> => {
  const transaction = {
    transaction_id: 'ADDED',
    transaction_date: '2025-09-01',
    amount: toMoney('7.5'),
    type: 'CREDIT',
    line_items: [],
    tax_items: [],
  }
  await answer(
    ports.unitOfWork.run('ACME', async (stores) => {
      const account = await answer(stores.accounts.lock(keyOf(number)))
      if (account === undefined) throw new Error('there is no account')
      return stores.accountTransactions.add(account, [{ ledger: 1, copy: 0, transaction }])
    }),
  )
}

onEach(
  'the views of the page show accounts unchanged, and nothing of encrypted ones',
  async (t, { open }) => {
    const opened = open()
    await createViews(opened, t.title)
    await created(opened.ports, aFullAccount(keyOf('full')))
    await created(opened.ports, aFullAccount(keyOf('erased')))
    await created(open({ keyRing: ringOf(newKey()) }).ports, aFullAccount(keyOf('encrypted')))
    await addTransaction(opened, 'full')
    await addTransaction(opened, 'erased')
    await answer(opened.ports.personalData.erase(keyOf('erased'), start))
    const found = async (number: string) =>
      (await answer(opened.ports.accounts.find(keyOf(number)))) as Account
    const [full, erased] = [shownOf(await found('full')), shownOf(await found('erased'))]
    t.is(full.account_transactions.rows.length, erased.account_transactions.rows.length)
    for (const view of Object.keys(full) as (keyof typeof full)[]) {
      const { columns } = full[view]
      const rows = [...full[view].rows, ...erased[view].rows]
      t.true(rows.length > 1, view)
      t.deepEqual(sorted((await rowsOf(opened, view, columns)) as typeof rows), sorted(rows), view)
    }
  },
)

onEach('the queries of the page return their results', async (t, { open }) => {
  const opened = open()
  await createViews(opened, t.title)
  const useCases = makeUseCases(inMemoryPorts(opened.ports))
  const made = await setUp(useCases.operator)
  await createAccount(useCases, made, 'A-1')
  await createAccount(useCases, made, 'A-2')
  const questions = blocksOf('sql', '', 'docs/how-to/query-with-sql.md').flatMap(statementsIn)
  t.true(questions.length >= 2)
  for (const question of questions) {
    const own = question
      .replaceAll("'ACME'", `'${made.organisation}'`)
      .replaceAll("'LEVANTE'", `'${made.supplier}'`)
      .replaceAll("'ES0021000012345678LB'", '(SELECT MAX(identifier) FROM account_supply_points)')
    type Answer = readonly Row[] | readonly [readonly Row[], unknown] | Readonly<{ rows: readonly Row[] }>
    const answered = (await opened.knex.raw(own)) as Answer
    const rows = 'rows' in answered ? answered.rows : Array.isArray(answered[0]) ? answered[0] : answered
    t.true(rows.length > 0, question)
  }
})
