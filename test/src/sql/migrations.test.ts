import { migrate } from '@account-import/adapter-sql'
import { makeUseCases, type StorePorts } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { gasAccount } from '../support/samples.js'
import { setUp } from '../support/set-up.js'
import { answer } from '../support/answers.js'
import { testDatabases, type Opened } from './support/databases.js'

const { onEach, onMariaDb } = testDatabases()

type Knex = Opened['knex']

const bookkeeping = 'account_import_migrations'
const latest = [
  '0004-post-import',
  '0005-outbox',
  '0006-transactions',
  '0007-staged-and-summary',
  '0008-payloads-in-imports',
]

const old = '2024-01-01T00:00:00Z'

/** The service on a database; `create` makes the account A-1 that was staged. */
const serviceOn = async (stores: StorePorts) => {
  const useCases = makeUseCases(inMemoryPorts(stores))
  const { organisation, supplier, team } = await setUp(useCases.operator)
  const payload = {
    import_supplier_code: supplier,
    external_account_number: 'A-1',
    operations_team_name: team,
  }
  const create = () => answer(useCases.processAccount({ organisation, payload }))
  return { organisation, supplier, useCases, create }
}

/** Every index of the tables, with its columns. */
const indexesOf = async (knex: Knex): Promise<unknown> => {
  const [rows] = (await knex.raw(
    'SELECT table_name, index_name, column_name, non_unique FROM information_schema.statistics ' +
      'WHERE table_schema = DATABASE() ORDER BY table_name, index_name, seq_in_index',
  )) as [unknown]
  return rows
}

onMariaDb(
  'a migration that was cut off after any of its statements is finished by the next',
  async (t, { open }) => {
    const { knex } = open()
    const whole = await indexesOf(knex)
    const indexes: readonly [table: string, index: string][] = [
      ['notes', 'notes_by_content'],
      ['statements', 'statements_by_id'],
      ['payment_instructions', 'payment_instructions_by_reference'],
      ['customer_emails', 'customer_emails_by_id'],
      ['customer_emails', 'customer_emails_due'],
      ['customer_emails', 'customer_emails_lists'],
      ['transactions', 'transactions_by_id'],
      ['account_imports', 'account_imports_staged'],
      ['account_imports', 'account_imports_summary'],
      ['account_imports', 'account_imports_pages'],
      ['kept_answers', 'kept_answers_by_account'],
    ]
    // As it is left by what was cut off right before the index: everything else may be there or not.
    for (const [table, index] of indexes) {
      const run = [...latest, '0015-personal-data']
      await knex(bookkeeping).whereIn('name', run).delete()
      await knex.raw('DROP INDEX ?? ON ??', [index, table])
      t.deepEqual(await migrate(knex), run, index)
      t.deepEqual(await indexesOf(knex), whole, index)
    }
  },
)

onEach(
  'transactions that were added again are told apart when the step that does so is run again',
  async (t, { open }) => {
    const { knex, ports } = open()
    const { organisation, supplier, create, useCases } = await serviceOn(ports)
    const account = { import_supplier: supplier, external_account_number: 'A-1' }
    await answer(useCases.stageAccount({ organisation, payload: gasAccount(supplier, 'A-1') }))
    await create()
    const add = async (checkPreviouslyAdded: boolean): Promise<readonly string[]> => {
      const one = { transaction_id: 'T', transaction_date: '2025-06-01', amount: 1, type: 'PAYMENT' }
      const payload = { ...account, transactions: [one] }
      const { results } = await answer(
        useCases.addTransactions({ organisation, payload, checkPreviouslyAdded }),
      )
      return results.map(({ status }) => status)
    }
    await add(false)
    await add(false)
    const step = '0006-transactions'
    await knex(bookkeeping).where({ name: step }).delete()
    await knex.schema.alterTable('transactions', (table) => {
      table.dropUnique([], 'transactions_by_id')
    })
    t.deepEqual(await migrate(knex), [step])
    t.deepEqual(await add(true), ['TRANSACTION_ALREADY_EXISTS'])
    t.deepEqual(await add(false), ['TRANSACTION_ADDED_TO_ACCOUNT'])
    const copies: unknown = await knex('transactions')
      .where({ transaction_id: 'T' })
      .orderBy('copy')
      .pluck('copy')
    t.deepEqual(copies, [0, 1, 2])
  },
)

onEach(
  'notes of accounts from before get their identities in one statement for many',
  async (t, { open }) => {
    const { knex, ports } = open()
    const { organisation, supplier, create, useCases } = await serviceOn(ports)
    const notes = Array.from({ length: 500 }, (_, index) => ({
      body: `note ${index % 400}`,
      created_at: old,
    }))
    const payload = { ...gasAccount(supplier, 'A-1'), notes }
    await answer(useCases.stageAccount({ organisation, payload }))
    await create()
    const identities = async (): Promise<unknown> =>
      (await knex('notes').orderBy('ordinal').select('content_digest', 'identity_time')) as unknown
    const written = await identities()
    await knex('notes').update({ content_digest: null, identity_time: null })
    await knex(bookkeeping).whereIn('name', latest).delete()
    let updates = 0
    knex.on('query', ({ sql }: { sql: string }) => {
      if (/^update .*notes/i.test(sql)) updates += 1
    })
    await migrate(knex)
    t.is(updates, 1)
    t.deepEqual(await identities(), written)
  },
)
