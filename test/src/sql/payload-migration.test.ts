import { migrate, rollback } from '@account-import/adapter-sql'
import { answer } from '../support/answers.js'
import { testDatabases, type Opened } from './support/databases.js'
import { keyOf, now, stagingOf } from './support/imports.js'

const { onEach, onMariaDb } = testDatabases()

type Knex = Opened['knex']

const step = ['0008-payloads-in-imports']

/** Takes back this one step, or does it again, as where the version before had been in use. */
const takeBack = async (knex: Knex): Promise<readonly string[]> => {
  await knex('account_import_migrations').whereNotIn('name', step).update({ batch: 0 })
  return rollback(knex)
}

const suppliers = ['LEVANTE', 'PONIENTE', 'ponienté']

/** More than two pieces of a supplier. */
const numbers = Array.from({ length: 211 }, (_, index) => `A ${index}`)

const payloadOf = (number: string): string =>
  JSON.stringify({ number, text: `\u{1F600} é ' " \\ ${'x'.repeat(9000)}` })

/** Accounts of several suppliers, one in two staged twice, and a pair that is only marked. */
const fill = async ({ ports }: Opened): Promise<void> => {
  for (const supplier of suppliers) {
    const staged = (text: (number: string) => string) => (number: string) => ({
      ...stagingOf(number, text(number)),
      key: keyOf(number, supplier),
    })
    await answer(ports.accountImports.stage(numbers.map(staged(() => '"first"'))))
    await answer(
      ports.accountImports.stage(numbers.filter((_, index) => index % 2 === 0).map(staged(payloadOf))),
    )
    await answer(ports.accountImports.setSkipped(keyOf('only marked', supplier), true, now()))
  }
}

type Staged = readonly Readonly<{ external_account_number: string; version: number; payload: string }>[]

const expected = numbers.map((number, index) => ({
  external_account_number: number,
  version: index % 2 === 0 ? 2 : 1,
  payload: index % 2 === 0 ? payloadOf(number) : '"first"',
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

onEach('staged data is moved into the rows of imports and back, to the letter', async (t, { open }) => {
  const opened = open()
  await fill(opened)
  const { knex } = opened
  t.deepEqual(await takeBack(knex), step)
  t.false(await knex.schema.hasColumn('account_imports', 'payload'))
  for (const supplier of suppliers)
    t.deepEqual(await stagedIn(knex, 'staged_accounts', 'version', supplier), expected)
  t.deepEqual(await migrate(knex), step)
  t.false(await knex.schema.hasTable('staged_accounts'))
  for (const supplier of suppliers)
    t.deepEqual(await stagedIn(knex, 'account_imports', 'staged_version', supplier), expected)
})

onMariaDb('moving staged data that was cut off is finished by the next run', async (t, { open }) => {
  const opened = open()
  await fill(opened)
  const { knex } = opened
  /** Lets the copies before this one be sent; what was done stays. */
  const cutOff = async (run: () => Promise<unknown>, copy: number): Promise<void> => {
    let copies = 0
    const listen = ({ sql }: Readonly<{ sql: string }>): void => {
      if (/^(UPDATE account_imports|REPLACE)/.test(sql)) copies += 1
      if (copies === copy) throw new Error('cut off')
    }
    knex.on('query', listen)
    await t.throwsAsync(run, { message: 'cut off' })
    knex.removeListener('query', listen)
    await knex('account_import_migrations_owner').update({ token: null, expires_at: null })
  }
  await cutOff(() => takeBack(knex), 5)
  t.deepEqual(await takeBack(knex), step)
  for (const supplier of suppliers)
    t.deepEqual(await stagedIn(knex, 'staged_accounts', 'version', supplier), expected)
  await cutOff(() => migrate(knex), 5)
  // The version before is in use once more, and stages again what had been copied already.
  await knex('staged_accounts').where({ external_account_number: 'A 1' }).update({ payload: '"newer"' })
  t.deepEqual(await migrate(knex), step)
  for (const supplier of suppliers)
    t.deepEqual(
      await stagedIn(knex, 'account_imports', 'staged_version', supplier),
      expected.map((row) => (row.external_account_number === 'A 1' ? { ...row, payload: '"newer"' } : row)),
    )
})
