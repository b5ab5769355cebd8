import { connectSql, migrate } from '@account-import/adapter-sql'
import test from 'ava'
import { join } from 'node:path'
import { cliInProcess } from '../support/cli-in-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { fullJourney } from './support/journey.js'

type Broken = Readonly<{ breaks: readonly Readonly<Record<string, unknown>>[]; accounts: number }>

const prepared = async (t: Parameters<typeof tempFolder>[0]) => {
  const dataDir = await tempFolder(t)
  const knex = connectSql(`sqlite:${join(dataDir, 'account-import.sqlite')}`)
  t.teardown(() => knex.destroy())
  await migrate(knex)
  const made = await fullJourney(knex)
  const run = (...args: readonly string[]) => cliInProcess(['verify', ...args], { DATA_DIR: dataDir })
  return { ...made, knex, run }
}

test('verify says what it looked at, and ends with 0 where everything agrees', async (t) => {
  const { run, supplier, organisation } = await prepared(t)
  const { code, stdout, stderr } = await run()
  t.deepEqual([code, stdout], [0, ''])
  t.regex(stderr, /^No break in 6 imports, 2 accounts with \d+ rows, and 1 e-mail of 1 supplier\.$/m)
  const json = await run('--json', '--supplier', supplier, '--organisation', organisation)
  t.is(json.code, 0)
  t.like(JSON.parse(json.stdout), { breaks: [], suppliers: 1, imports: 6, accounts: 2, emails: 1 })
})

test('verify lists each break without a value of the payload, and ends with 1', async (t) => {
  const { run, knex, supplier, organisation } = await prepared(t)
  await knex('ledgers').where('ordinal', 0).update({ ledger_balance: 1234.56 })
  await knex('account_imports').where('external_account_number', 'S-1').update({ payload: '{"cut' })
  const { code, stdout, stderr } = await run()
  t.is(code, 1)
  const lines = stdout.trimEnd().split('\n')
  t.is(lines.length, 3)
  t.is(lines[0], ['staged_data_unreadable', organisation, supplier, 'S-1', '-', '-'].join('\t'))
  t.regex(lines[1] ?? '', /^amount_differs\t.*\tledgers \(ledger_balance\) × 1$/)
  t.notRegex(stdout + stderr, /1234|cut/)
  t.regex(stderr, /^3 breaks in 6 imports/m)
  const json = JSON.parse((await run('--json')).stdout) as Broken
  t.is(json.accounts, 2)
  t.like(json.breaks[0], {
    kind: 'staged_data_unreadable',
    import_supplier: supplier,
    external_account_number: 'S-1',
    platform_account_number: null,
    columns: [],
  })
})

test('verify refuses a supplier or an organisation that there is not, with 2', async (t) => {
  const { run } = await prepared(t)
  for (const option of ['--supplier', '--organisation']) {
    const { code, stdout, stderr } = await run(option, 'NOBODY', '--json')
    t.is(code, 2)
    t.like(JSON.parse(stdout), { error: { code: 'does_not_exist' } })
    t.regex(stderr, /^There is no .*NOBODY\./)
  }
})

test('verify ends with 3 where the database cannot be reached, and says so', async (t) => {
  const { code, stdout } = await cliInProcess(['verify', '--json'], {
    DATABASE_URL: 'mysql://u:p@127.0.0.1:1/none',
    DATA_DIR: await tempFolder(t),
  })
  t.is(code, 3)
  t.like(JSON.parse(stdout), { error: { code: 'database_unavailable' } })
})
