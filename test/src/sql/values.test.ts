import { migrate, migrationStatus } from '@account-import/adapter-sql'
import { builtInSettings, type AccountDetails, type Instant, type Ledger } from '@account-import/core'
import { everyDetail } from '@account-import/core/contract-tests'
import { answer, failure } from '../support/answers.js'
import { emptied } from './support/as-left-by.js'
import { testDatabases } from './support/databases.js'
import { bareDetails } from './support/bare-details.js'
import { accountOf } from './support/account-of.js'
import { keyOf, now, stagingOf } from './support/imports.js'

const { onEach, onMariaDb } = testDatabases()

const steps = [
  '0001-registers',
  '0002-account-imports',
  '0003-accounts',
  '0004-post-import',
  '0005-outbox',
  '0006-transactions',
  '0007-staged-and-summary',
  '0008-payloads-in-imports',
  '0009-kept-answers',
  '0010-rate-limits',
  '0011-refresh-token-families',
  '0012-api-key-names',
  '0013-audit',
  '0014-identity',
  '0015-personal-data',
  '0016-encryption',
  '0017-done-requests',
  '0018-additions',
]

onEach('migrations say what they did, and are done once', async (t, database) => {
  const { knex } = database.open()
  t.deepEqual(await migrationStatus(knex), { done: steps, pending: [] })
  await emptied(knex)
  t.deepEqual(await migrationStatus(knex), { done: [], pending: steps })
  t.false(await knex.schema.hasTable('account_imports'))
  t.deepEqual(await migrate(knex), steps)
  t.deepEqual(await migrate(knex), [])
  const { ports } = database.open()
  t.deepEqual(await answer(ports.accountImports.stage([stagingOf('1')])), [{ _tag: 'created', version: 1 }])
})

const alike = ['x', 'x ', 'X', ' x', 'e\u0301', '\u00e9', 'ß', 'ss', 'ｘ', '0', '00', '🔌']

onEach(
  'account numbers that look alike are different, and lists are in order of code points',
  async (t, database) => {
    const { ports } = database.open()
    const { accountImports } = ports
    const outcomes = await answer(
      accountImports.stage(alike.map((number) => stagingOf(number, `"${number}"`))),
    )
    t.true(outcomes.every(({ _tag }) => _tag === 'created'))
    for (const number of alike)
      t.deepEqual(await answer(accountImports.staged(keyOf(number))), { version: 1, payload: `"${number}"` })
    const page = await answer(
      accountImports.page({ ...keyOf(''), list: 'all', after: undefined, limit: 1000 }),
    )
    const byCodePoint = [...alike].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    t.deepEqual(
      page.map(({ externalAccountNumber }) => externalAccountNumber),
      byCodePoint,
    )
  },
)

onEach('supplier codes, organisations and team names are compared exactly', async (t, { open }) => {
  const { organisations, operationsTeams } = open().ports
  for (const code of ['A', 'a', 'A ', 'Á', 'A\u0301'])
    t.is(
      await answer(organisations.create({ code, name: code, createdAt: now(), disabledAt: undefined })),
      'created',
    )
  t.is(
    await answer(organisations.create({ code: 'a', name: 'again', createdAt: now(), disabledAt: undefined })),
    'code_taken',
  )
  t.is(await answer(operationsTeams.create('Team')), 'created')
  t.false(await answer(operationsTeams.exists('team', 'A')))
  t.false(await answer(operationsTeams.exists('Team ', 'A')))
  t.true(await answer(operationsTeams.exists('Team', 'A')))
})

onEach(
  'settings that were saved before there were markets have the built-in ones, and can be changed',
  async (t, { open }) => {
    const { knex, ports } = open()
    const code = 'EARLIER'
    await answer(
      ports.organisations.create({ code: 'O', name: 'O', createdAt: now(), disabledAt: undefined }),
    )
    await answer(
      ports.importSuppliers.create({ organisation: 'O', code, status: 'ongoing', settings: builtInSettings }),
    )
    const { markets, ...earlier } = builtInSettings
    await knex('import_suppliers')
      .where({ code })
      .update({ settings: JSON.stringify({ ...earlier, documentRoot: 'x' }) })
    const read = { ...earlier, documentRoot: 'x', markets }
    t.deepEqual((await answer(ports.importSuppliers.find('O', code)))?.settings, read)
    t.is(await answer(ports.importSuppliers.saveSettings(code, read, { ...read, markets: [] })), 'saved')
    t.deepEqual((await answer(ports.importSuppliers.findByCode(code)))?.settings, { ...read, markets: [] })
  },
)

onEach('a payload is given back to the letter, up to the largest one', async (t, { open }) => {
  const { accountImports } = open().ports
  const payload = `{"n":1.10,  "t":"\\u00e9 é e\u0301 🔌 ' \\\\ "}${'x'.repeat(5 * 1024 * 1024)} `
  await answer(accountImports.stage([stagingOf('large', payload)]))
  t.true((await answer(accountImports.staged(keyOf('large'))))?.payload === payload)
})

const transactions = (count: number): Ledger => ({
  ledger_code: 'L',
  current_statement_transactions: Array.from({ length: count }, (_, index) => ({
    ...everyDetail.transactions_without_ledger[0],
    transaction_id: `T-${index}`,
  })),
  historical_statement_transactions: [],
})

onEach('an account with thousands of transactions keeps all of them in order', async (t, { open }) => {
  const { accounts } = open().ports
  const details: AccountDetails = { ...bareDetails, ledgers: [transactions(3001), transactions(65)] }
  await answer(accounts.create([accountOf('long', 'P-1', details)]))
  t.deepEqual((await answer(accounts.find(keyOf('long'))))?.details, details)
})

onEach('a second account with the same key or the same number is refused whole', async (t, { open }) => {
  const { accounts } = open().ports
  await answer(accounts.create([accountOf('1', 'P-1')]))
  for (const account of [accountOf('1', 'P-2'), accountOf('2', 'P-1')])
    t.is((await failure(accounts.create([accountOf('3', 'P-3', bareDetails), account]))).kind, 'unexpected')
  t.is(await answer(accounts.find(keyOf('2'))), undefined)
  t.is(await answer(accounts.find(keyOf('3'))), undefined)
})

onEach('instants keep their milliseconds', async (t, { open }) => {
  const { organisations } = open().ports
  const instants = ['000', '001', '010', '100', '999'].map((ms) => `2026-03-29T01:59:59.${ms}Z` as Instant)
  for (const createdAt of [...instants, '2026-01-01T00:00:00.000Z' as Instant]) {
    await answer(organisations.create({ code: createdAt, name: 'n', createdAt, disabledAt: undefined }))
    t.is((await answer(organisations.find(createdAt)))?.createdAt, createdAt)
  }
})

onMariaDb('accounts are rows that SQL can search and add up', async (t, { open }) => {
  const { knex, ports } = open()
  await answer(ports.accounts.create([accountOf('full', 'P-1')]))
  const [sum] = await knex('transactions').where({ organisation: 'ACME' }).sum({ total: 'amount' })
  t.is(String(sum?.['total']), '29999999999.97')
  const point = await knex('supply_points').where({ supply_type: 'GAS' }).first('identifier')
  t.deepEqual({ ...point }, { identifier: 'x' })
})
