import { migrate } from '@account-import/adapter-sql'
import { asLeftBy } from './support/as-left-by.js'
import { testDatabases, type Opened } from './support/databases.js'

const { onEach, onMariaDb } = testDatabases()

type Knex = Opened['knex']

const before = '0007-staged-and-summary'
const step = '0008-payloads-in-imports'

const suppliers = ['LEVANTE', 'PONIENTE', 'ponienté']

/** More than two pieces of a supplier. */
const numbers = Array.from({ length: 211 }, (_, index) => `A ${index}`)

const payloadOf = (number: string): string =>
  JSON.stringify({ number, text: `\u{1F600} é ' " \\ ${'x'.repeat(9000)}` })

type Version = Readonly<{ version: number; payload: string }>

/** The data of accounts at even places was staged twice. */
const stagedOf = (number: string, index: number): Version =>
  index % 2 === 0 ? { version: 2, payload: payloadOf(number) } : { version: 1, payload: '"first"' }

/** The rows of the version before: accounts of several suppliers, and a pair that is only marked. */
const fill = async (knex: Knex): Promise<void> => {
  await asLeftBy(knex, before)
  const rest = { holds_slot: 0, attempts: 0 }
  for (const supplier of suppliers) {
    const key = { organisation: 'ACME', import_supplier: supplier }
    const keys = numbers.map((number) => ({ ...key, external_account_number: number }))
    const versions = numbers.map(stagedOf)
    const imports = keys.map((each, index) => ({
      ...each,
      ...rest,
      staged_version: versions[index]?.version,
      state: 'staged',
      skipped: 0,
    }))
    const marked = { ...key, external_account_number: 'only marked', staged_version: 0, state: 'skipped' }
    await knex.batchInsert('account_imports', [...imports, { ...marked, ...rest, skipped: 1 }], 50)
    await knex.batchInsert(
      'staged_accounts',
      keys.map((each, index) => ({ ...each, ...versions[index] })),
      20,
    )
  }
}

type Staged = readonly Readonly<{ external_account_number: string; version: number; payload: string }>[]

const expected = numbers.map((number, index) => ({
  external_account_number: number,
  ...stagedOf(number, index),
}))

const inOrder = (rows: Staged): Staged =>
  rows.toSorted(
    (a, b) => numbers.indexOf(a.external_account_number) - numbers.indexOf(b.external_account_number),
  )

/** What is staged of a supplier, in order; the version is in a column of this name. */
const stagedIn = async (knex: Knex, table: string, version: string, supplier: string): Promise<Staged> =>
  inOrder(
    (await knex(table)
      .where({ import_supplier: supplier })
      .whereNotNull('payload')
      .select('external_account_number', { version }, 'payload')) as Staged,
  )

onEach('staged data is moved into the rows of imports, to the letter', async (t, { open }) => {
  const { knex } = open()
  await fill(knex)
  t.false(await knex.schema.hasColumn('account_imports', 'payload'))
  t.is((await migrate(knex))[0], step)
  t.false(await knex.schema.hasTable('staged_accounts'))
  for (const supplier of suppliers)
    t.deepEqual(await stagedIn(knex, 'account_imports', 'staged_version', supplier), expected)
})

onMariaDb('moving staged data that was cut off is finished by the next run', async (t, { open }) => {
  const { knex } = open()
  await fill(knex)
  let copies = 0
  const listen = ({ sql }: Readonly<{ sql: string }>): void => {
    if (sql.startsWith('UPDATE account_imports')) copies += 1
    if (copies === 5) throw new Error('cut off')
  }
  knex.on('query', listen)
  await t.throwsAsync(() => migrate(knex), { message: 'cut off' })
  knex.removeListener('query', listen)
  await knex('account_import_migrations_owner').update({ token: null, expires_at: null })
  // The version before is in use once more, and stages again what had been copied already.
  await knex('staged_accounts').where({ external_account_number: 'A 1' }).update({ payload: '"newer"' })
  t.is((await migrate(knex))[0], step)
  for (const supplier of suppliers)
    t.deepEqual(
      await stagedIn(knex, 'account_imports', 'staged_version', supplier),
      expected.map((row) => (row.external_account_number === 'A 1' ? { ...row, payload: '"newer"' } : row)),
    )
})
