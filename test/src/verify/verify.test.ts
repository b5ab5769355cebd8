import {
  breakKinds,
  connectSql,
  createSqlPorts,
  DatabaseError,
  migrate,
  verify,
  type Break,
} from '@account-import/adapter-sql'
import type { SupplierSettings } from '@account-import/core'
import { makeUseCases } from '@account-import/core/fp'
import { inMemoryPorts } from '@account-import/core/in-memory'
import test from 'ava'
import { join } from 'node:path'
import { createAccount, withAccount } from '../sql/support/created-account.js'
import { testDatabases, type Opened } from '../sql/support/databases.js'
import { stagingOf } from '../sql/support/imports.js'
import { answer } from '../support/answers.js'
import { cliInProcess } from '../support/cli-in-process.js'
import { textOf } from '../support/repository.js'
import { sample } from '../support/samples.js'
import { setUp } from '../support/set-up.js'
import { tempFolder } from '../support/temp-folder.js'
import { keyRing, verified } from './support/breaks-of.js'
import { damages } from './support/damages.js'
import { fullJourney } from './support/journey.js'

const { onEach, onMysqlServers, onMariaDb } = testDatabases()

test('every kind of break is planted, and has meaning and remedy in the reference', (t) => {
  const planted = new Set([
    'index_missing',
    'chain_broken',
    'audit_key_missing',
    ...damages.flatMap(([, kinds]) => kinds),
  ])
  t.deepEqual(
    breakKinds.filter((kind) => !planted.has(kind)),
    [],
  )
  const lines = textOf('docs/reference/inconsistencies.md').matchAll(/^- `(\w+)`: .+\. \*.+\.\*$/gm)
  t.deepEqual(
    [...lines].map(([, kind]) => kind),
    breakKinds,
  )
})

onEach('a database after every operation of the service has no break', async (t, { open }) => {
  const { knex } = open()
  const { supplier, organisation } = await fullJourney(knex)
  const { breaks, looked } = await verified(knex)
  t.deepEqual(breaks, [])
  t.like(looked, { suppliers: 1, imports: 6, accounts: 2, emails: 1 })
  t.true(looked.rows > 8)
  t.deepEqual(await verified(knex, { importSupplier: supplier }), { breaks, looked })
  t.deepEqual(await verified(knex, { organisation }), { breaks, looked })
  t.is((await verified(knex, { importSupplier: 'OTHER' })).looked.suppliers, 0)
})

onEach('an encrypted database after every operation of the service has no break', async (t, { open }) => {
  const { knex } = open()
  await fullJourney(knex, keyRing)
  const { breaks, looked } = await verified(knex)
  t.deepEqual(breaks, [])
  t.like(looked, { suppliers: 1, imports: 6, accounts: 2, emails: 1 })
})

/** Rows that the server has sorted so far for the one connection there is. */
const sortedRows = async (knex: Opened['knex']): Promise<number> => {
  const [[status]] = (await knex.raw("SHOW SESSION STATUS LIKE 'Sort_rows'")) as [{ Value: string }[]]
  return Number(status?.Value)
}

onMysqlServers(
  'rows are read in the order of an index: nothing is sorted for a page of accounts',
  async (t, { open }) => {
    const { knex, ports } = open({ maxConnections: 1 })
    const useCases = makeUseCases(inMemoryPorts(ports))
    const made = await setUp(useCases.operator)
    const sortedWith = async (numbers: readonly string[]): Promise<number> => {
      for (const number of numbers) await createAccount(useCases, made, number)
      const before = await sortedRows(knex)
      t.deepEqual((await verified(knex)).breaks, [])
      return (await sortedRows(knex)) - before
    }
    const few = await sortedWith(['A-1'])
    t.is(await sortedWith(Array.from({ length: 20 }, (_, at) => `B-${at}`)), few)
  },
)

/** Tables that are damaged. */
const damaged = [
  'account_imports',
  'account_items',
  'customer_emails',
  'import_runs',
  'import_suppliers',
  'operations_teams',
  'processing_slots',
  'organisations',
]

/** Reads all rows of the damaged tables, and returns a function that restores them. */
const restorable = async (knex: Opened['knex']): Promise<() => Promise<void>> => {
  const saved = new Map<string, readonly object[]>()
  for (const table of damaged) saved.set(table, (await knex(table)) as readonly object[])
  return async () => {
    for (const [table, rows] of saved) {
      await knex(table).delete()
      if (rows.length > 0) await knex(table).insert(rows)
    }
  }
}

onEach('verify finds each planted damage, and nothing else', async (t, { open }) => {
  const { knex } = open()
  const site = { ...(await fullJourney(knex)), knex }
  const restore = await restorable(knex)
  for (const [title, kinds, about, work] of damages) {
    await work(site)
    const { breaks } = await verified(knex)
    t.deepEqual([...new Set(breaks.map(({ kind }) => kind))].toSorted(), [kinds].flat(), title)
    const named = new Set(breaks.flatMap(({ externalAccountNumber }) => externalAccountNumber ?? []))
    t.deepEqual([...named], about === undefined ? [] : [about], title)
    await restore()
  }
  t.deepEqual((await verified(knex)).breaks, [])
})

onEach(
  'a changed audit event breaks the chain of its organisation once, and without its key nothing is told',
  async (t, { open }) => {
    const { knex } = open()
    const { organisation } = await fullJourney(knex)
    const auditKeys = ['k'.repeat(32)]
    await answer(createSqlPorts(knex, { auditKeys }).auditTrail.seal(5))
    await answer(createSqlPorts(knex, { auditKeys }).auditTrail.seal(5))
    const found = async (keys: readonly string[]) => {
      const breaks: Break[] = []
      for await (const each of verify(knex, { auditKeys: keys })) breaks.push(each)
      return breaks.map(({ kind, organisation: of }) => `${kind} ${of}`)
    }
    t.deepEqual(await found(auditKeys), [])
    const unproved = ['audit_key_missing ', `audit_key_missing ${organisation}`]
    t.deepEqual(await found(['x'.repeat(32)]), unproved)
    await knex('audit_log').where({ organisation }).update({ who: 'somebody else' })
    t.deepEqual(await found(auditKeys), [`chain_broken ${organisation}`])
  },
)

/** Creates the table again with the same rows and no keys, as an incomplete dump does. */
const keyless = async (knex: Opened['knex'], table: string): Promise<void> => {
  await knex.raw(`CREATE TABLE copied_rows AS SELECT * FROM ${table}`)
  await knex.schema.dropTable(table)
  await knex.schema.renameTable('copied_rows', table)
}

onEach('a missing key is found, also where there are duplicates', async (t, { open }) => {
  const { knex } = open()
  await fullJourney(knex)
  const found = async () => (await verified(knex)).breaks.map(({ kind, table }) => `${kind} ${table}`)
  await keyless(knex, 'account_items')
  await knex('account_items').insert((await knex('account_items').first()) as object)
  t.deepEqual(await found(), ['index_missing account_items', 'index_missing account_items'])
  await keyless(knex, 'account_imports')
  t.true((await found()).includes('index_missing account_imports'))
})

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

test('verify prints its counts, and exits with 0 without breaks and with 2 for an unknown supplier or organisation', async (t) => {
  const { run, supplier, organisation } = await prepared(t)
  const { code, stdout, stderr } = await run()
  t.deepEqual([code, stdout], [0, ''])
  t.regex(stderr, /^No inconsistency in 6 imports, 2 accounts with \d+ rows, and 1 e-mail of 1 supplier\.$/m)
  const json = await run('--json', '--supplier', supplier, '--organisation', organisation)
  t.is(json.code, 0)
  t.like(JSON.parse(json.stdout), { breaks: [], suppliers: 1, imports: 6, accounts: 2, emails: 1 })
  for (const option of ['--supplier', '--organisation']) {
    const refused = await run(option, 'NOBODY', '--json')
    t.is(refused.code, 2)
    t.like(JSON.parse(refused.stdout), { error: { code: 'does_not_exist' } })
    t.regex(refused.stderr, /^There is no .*NOBODY\./)
  }
})

test('verify lists each break without a value of the payload, and exits with 1', async (t) => {
  const { run, knex, supplier, organisation } = await prepared(t)
  await knex('account_imports')
    .where('state', 'created')
    .update({ payload: knex.raw('REPLACE(payload, \'"ledger_balance":6.5\', \'"ledger_balance":1234.5\')') })
  await knex('account_imports').where('external_account_number', 'S-1').update({ payload: '{"cut' })
  const { code, stdout, stderr } = await run()
  t.is(code, 1)
  const lines = stdout.trimEnd().split('\n')
  t.is(lines.length, 2)
  t.regex(lines[0] ?? '', /^payload_differs\t.*\tA-1\t.*\taccount_imports \(payload\)$/)
  t.regex(lines[1] ?? '', /^payload_differs\t.*\tS-1\t-\taccount_imports \(payload\)$/)
  t.notRegex(stdout + stderr, /1234|cut/)
  t.regex(stderr, /^2 inconsistencies in 6 imports/m)
  const json = JSON.parse((await run('--json')).stdout) as Broken
  t.is(json.accounts, 2)
  t.like(json.breaks[1], {
    kind: 'payload_differs',
    organisation,
    import_supplier: supplier,
    external_account_number: 'S-1',
    platform_account_number: null,
    columns: ['payload'],
  })
})

test('verify exits with 3 and the reason when the database is unreachable', async (t) => {
  const { code, stdout } = await cliInProcess(['verify', '--json'], {
    DATABASE_URL: 'mysql://u:p@127.0.0.1:1/none',
    DATA_DIR: await tempFolder(t),
  })
  t.is(code, 3)
  t.like(JSON.parse(stdout), { error: { code: 'database_unavailable' } })
})

type Query = Readonly<{ sql: string; bindings?: readonly unknown[] }>
type Client = { _query(connection: unknown, query: Query): Promise<unknown> }

onMariaDb('a snapshot whose connection is killed reports that, not its failed end', async (t, { open }) => {
  const { knex, ports } = open()
  await withAccount(ports)
  const client = knex.client as Client
  const send = client._query.bind(client)
  let isInSnapshot = false
  client._query = (connection, query) => {
    const isRead = isInSnapshot && /^select/i.test(query.sql)
    if (isRead) isInSnapshot = false
    if (query.sql.includes('CONSISTENT SNAPSHOT')) isInSnapshot = true
    return send(connection, isRead ? { sql: 'KILL CONNECTION CONNECTION_ID()' } : query)
  }
  const error = await t.throwsAsync(
    async () => {
      for await (const { kind } of verify(knex)) t.fail(`${kind} was told`)
    },
    { instanceOf: DatabaseError },
  )
  t.true([1317, 1927].includes(error.errno ?? 0), error.message)
})

/** Clients that stage, create and add to accounts of their own, one after the other, until they are stopped. */
const startTraffic = async ({ ports }: Opened, clients: number) => {
  const useCases = makeUseCases(inMemoryPorts(ports))
  const made = await setUp(useCases.operator)
  const { organisation, supplier } = made
  const change = (settings: SupplierSettings): SupplierSettings => ({ ...settings, migrationEmails: true })
  await answer(useCases.operator.configureSupplier({ code: supplier, change }))
  let going = true
  let created = 0
  const journey = async (number: string): Promise<void> => {
    await createAccount(useCases, made, number)
    const added = (name: string) => ({
      organisation,
      payload: { ...sample(name), import_supplier: supplier, external_account_number: number },
    })
    await answer(useCases.addNotes(added('notes.json')))
    await answer(useCases.addTransactions(added('transactions.json')))
    created += 1
  }
  const client = async (_: unknown, index: number): Promise<void> => {
    for (let count = 0; going; count += 1) await journey(`A-${count}-${index}`)
  }
  let failure: Readonly<{ cause: unknown }> | undefined
  const running = Promise.all(Array.from({ length: clients }, client))
  running.catch((cause: unknown) => {
    failure = { cause }
  })
  return {
    created: () => {
      if (failure !== undefined) throw new Error('a client failed', failure)
      return created
    },
    stop: async () => {
      going = false
      await running
    },
  }
}

onEach('verify gives no false alarm on a live server, in repeated runs', async (t, { open }) => {
  const traffic = await startTraffic(open(), 8)
  const { knex } = open()
  const breaks: Break[] = []
  let looks = 0
  try {
    for (; traffic.created() < 50; looks += 1) for await (const each of verify(knex)) breaks.push(each)
    t.true(looks >= 2, `${looks} times while accounts were created`)
  } finally {
    await traffic.stop()
  }
  t.deepEqual(breaks, [])
})

onEach('imports and additions are read to their end, by few statements', async (t, { open }) => {
  const { knex, ports } = open()
  const { organisation, supplier } = await setUp(makeUseCases(inMemoryPorts(ports)).operator)
  const key = (number: string) => ({ organisation, importSupplier: supplier, externalAccountNumber: number })
  const numbers = Array.from({ length: 1100 }, (_, index) => `N-${1000 + index}`)
  const stagings = numbers.map((number) => {
    const payload = JSON.stringify({ import_supplier: supplier, external_account_number: number })
    return { ...stagingOf(number, payload), key: key(number) }
  })
  await answer(ports.accountImports.stage(stagings))
  const of = { organisation, import_supplier: supplier, external_account_number: 'NONE' }
  const notes = numbers.map((identity, ordinal) => ({
    ...of,
    kind: 'note',
    ordinal,
    identity,
    copy: 0,
    content: '{}',
  }))
  for (let from = 0; from < notes.length; from += 100)
    await knex('account_items').insert(notes.slice(from, from + 100))
  await knex('account_imports').where('external_account_number', 'N-2099').update({ payload_hash: 'x' })
  const statements: string[] = []
  knex.on('query', ({ sql }: { sql: string }) => statements.push(sql))
  const { breaks, looked } = await verified(knex)
  t.is(looked.imports, numbers.length)
  t.deepEqual(
    breaks.map(({ kind, externalAccountNumber }) => `${kind} ${externalAccountNumber}`),
    // Once for each page of its additions.
    ['payload_differs N-2099', 'reference_missing NONE', 'reference_missing NONE'],
  )
  t.true(statements.length < 50, `${statements.length} statements`)
  t.false(statements.some((sql) => /\bOFFSET\b/i.test(sql)))
})
