import { connectSql, createSqlPorts, DatabaseError } from '@account-import/adapter-sql'
import { E } from '@account-import/core/fp'
import test from 'ava'
import createKnex from 'knex'
import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../servers/index.js'
import { answer, failure } from '../support/answers.js'
import { tempFolder } from '../support/temp-folder.js'
import { withAccount } from './support/created-account.js'
import { isPostgresql, testDatabases } from './support/databases.js'
import { keyOf, stagingOf } from './support/imports.js'
import { waitingForLocks } from './support/waiting-for-locks.js'

const { onServers, onMariaDb, onSqlite, onMysqlServers } = testDatabases()

const nothingToDo = async (url: string) => {
  const knex = connectSql(url)
  try {
    return await failure(createSqlPorts(knex).unitOfWork.run('ACME', async () => E.right(undefined)))
  } finally {
    await knex.destroy()
  }
}

test('an unreachable database fails fast as unavailable, for a unit of work too, and the cause has no address', async (t) => {
  const url = `mysql://root:geheim@127.0.0.1:${await freePort()}/import`
  const knex = connectSql(url)
  t.teardown(() => knex.destroy())
  const started = performance.now()
  const read = await failure(createSqlPorts(knex).accountImports.find(keyOf('A')))
  t.true(performance.now() - started < 2000)
  for (const { kind, cause } of [read, await nothingToDo(url)]) {
    t.is(kind, 'unavailable')
    t.true(cause instanceof DatabaseError)
    t.notRegex(JSON.stringify(cause), /geheim|127\.0\.0\.1/)
  }
})

test('a unit of work whose connection is reset during its set-up is unavailable', async (t) => {
  const server = createServer((socket) => socket.resetAndDestroy())
  t.teardown(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { kind, cause } = await nothingToDo(`mysql://root@127.0.0.1:${port}/import`)
  t.is(kind, 'unavailable')
  t.true(cause instanceof DatabaseError)
})

test('an address that is not valid is refused at once', (t) => {
  for (const url of [
    '',
    'sqlite:',
    'postgresl://x/y',
    'postgres:/x',
    'mysql:/x',
    'file.db',
    'mysql://u:%ZZ@h/d',
  ])
    t.throws(() => connectSql(url), { instanceOf: TypeError })
})

test('a Knex with another configuration is refused', async (t) => {
  const knex = createKnex({ client: 'mysql2' })
  t.throws(() => createSqlPorts(knex), { instanceOf: TypeError, message: /connectSql/ })
  await knex.destroy()
})

/** A blocking statement would delay the event loop for longer: turns happen within this time on the slowest machine. */
const mostMilliseconds = 10_000

onSqlite(
  'a staging waits for the write of another process without blocking its own process',
  async (t, { open }) => {
    const [writer, other] = [open(), open()]
    const lock = await writer.knex.transaction()
    let turns = 0
    const ticks = setInterval(() => (turns += 1), 10)
    const staging = answer(other.ports.accountImports.stage([stagingOf('A')]))
    const begun = performance.now()
    while (turns <= 5 && performance.now() - begun < mostMilliseconds) await setTimeout(50)
    clearInterval(ticks)
    await lock.rollback()
    t.deepEqual(await staging, [{ _tag: 'created', version: 1 }])
    t.true(other.retries.length > 0 && other.retries.every(({ reason }) => reason === 'busy'))
    t.true(turns > 5, `the event loop turned ${turns} times`)
  },
)

onSqlite('a long series of statements lets other work run', async (t, { open }) => {
  const { accountImports } = open().ports
  let turns = 0
  const ticks = setInterval(() => (turns += 1), 5)
  const started = performance.now()
  while (turns <= 2 && performance.now() - started < mostMilliseconds)
    await answer(accountImports.find(keyOf('A')))
  clearInterval(ticks)
  t.true(turns > 2, `the event loop turned ${turns} times`)
})

onMariaDb(
  'a unit of work that loses its connection answers the result of its work, not the failed rollback',
  async (t, { open }) => {
    const [opened, other] = [open({ maxConnections: 1 }), open()]
    const { unitOfWork, accounts } = opened.ports
    const loseConnections = async (): Promise<void> => {
      const [found] = await other.knex.raw(
        'SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()',
      )
      for (const { id } of found) await other.knex.raw(`KILL ${id}`)
      await setTimeout(100)
    }
    await answer(accounts.find(keyOf('A')))
    const refused = await unitOfWork.run('ACME', async () => {
      await loseConnections()
      return E.left('refused')
    })
    t.deepEqual(refused, E.left('refused'))
    const failed = await failure(
      unitOfWork.run('ACME', async (stores) => {
        await loseConnections()
        return stores.accounts.lock(keyOf('A'))
      }),
    )
    t.like(failed, { kind: 'unavailable', port: 'accounts', operation: 'lock' })
    t.is(await answer(accounts.find(keyOf('A'))), undefined)
  },
)

for (const [kill, onPostgresql] of [
  ['KILL CONNECTION', 'PG_TERMINATE_BACKEND'],
  ['KILL QUERY', 'PG_CANCEL_BACKEND'],
])
  onServers(
    `a unit of work is unavailable when an operator ends it with ${kill} during a lock wait`,
    async (t, { open }) => {
      const [{ ports }, other] = [open(), open()]
      const { organisation, supplier: importSupplier } = await withAccount(ports, { notes: [] })
      const key = { organisation, importSupplier, externalAccountNumber: 'A-1' }
      const lock = () => ports.unitOfWork.run(organisation, (stores) => stores.accounts.lock(key))
      const holder = await other.knex.transaction()
      await holder('account_imports').where({ organisation }).forUpdate()
      const waits = failure(lock())
      await waitingForLocks(other, 1)
      if (isPostgresql(other.knex))
        await other.knex.raw(
          `SELECT ${onPostgresql}(pid) FROM pg_stat_activity WHERE datname = CURRENT_DATABASE() AND wait_event_type = 'Lock'`,
        )
      else {
        const [waiting] = (await other.knex.raw(
          'SELECT p.id AS id FROM information_schema.innodb_trx AS t JOIN information_schema.processlist AS p ' +
            "ON p.id = t.trx_mysql_thread_id WHERE p.db = DATABASE() AND t.trx_state = 'LOCK WAIT'",
        )) as [readonly { id: number }[]]
        for (const { id } of waiting) await other.knex.raw(`${kill} ${id}`)
      }
      const { kind } = await waits
      await holder.rollback()
      t.is(kind, 'unavailable')
      t.like(await answer(lock()), { key })
    },
  )

/** The errors of each server that cannot work now, by number: some have no name in the driver. */
const unavailable = [1021, 1040, 1053, 1077, 1114, 1180, 1203, 1226, 1317, 1461, 1927, 1969, 3024, 3100, 3101]

onMysqlServers('temporary errors of a server are unavailable, by their error number', async (t, { open }) => {
  const { knex, ports } = open()
  const kinds: string[] = []
  for (const number of [...unavailable, 1644]) {
    await knex.raw(
      'CREATE TRIGGER says BEFORE INSERT ON account_imports FOR EACH ROW ' +
        `SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = ${number}`,
    )
    const { kind } = await failure(ports.accountImports.stage([stagingOf('A')]))
    kinds.push(`${number} ${kind}`)
    await knex.raw('DROP TRIGGER says')
  }
  t.deepEqual(kinds, [...unavailable.map((number) => `${number} unavailable`), '1644 unexpected'])
})

type Attempt = (knex: Knex) => PromiseLike<unknown>
type Knex = ReturnType<Parameters<Parameters<typeof onSqlite>[1]>[1]['open']>['knex']

const addTeam = async (knex: Knex, name: string): Promise<void> => {
  await knex('operations_teams').insert({ name })
}
const teams = async (knex: Knex): Promise<number> => (await knex('operations_teams').select('name')).length

const attempts: readonly (readonly [string, Attempt])[] = [
  ['a transaction', (knex) => knex.transaction((trx) => addTeam(trx, 'late'))],
  ['an INSERT alone', (knex) => addTeam(knex, 'late')],
  ['an UPDATE alone', (knex) => knex('operations_teams').where({ name: 'first' }).update({ name: 'late' })],
  ['a DELETE alone', (knex) => knex('operations_teams').where({ name: 'first' }).delete()],
]

for (const [what, attempt] of attempts)
  onSqlite(
    `a connection sees and writes current data after ${what} met the lock of another`,
    async (t, database) => {
      const [holder, other] = [database.open().knex, database.open().knex]
      await addTeam(holder, 'first')
      t.is(await teams(other), 1)
      await holder.transaction(async (trx) => {
        await trx('operations_teams').insert({ name: 'second' })
        const failure = await t.throwsAsync(Promise.resolve(attempt(other)), { instanceOf: DatabaseError })
        t.is(failure?.code, 'SQLITE_BUSY')
        t.is(await teams(other), 1)
      })
      t.is(await teams(other), 2)
      await addTeam(holder, 'third')
      t.is(await teams(other), 3)
      await addTeam(other, 'fourth')
      t.deepEqual([await teams(holder), await teams(other)], [4, 4])
    },
  )

/** Opens the database, counts its rows, and closes it, as a command does while a server runs. */
const program = `
  const { connectSql } = await import(process.argv[1])
  const knex = connectSql(process.argv[2])
  const [{ count }] = await knex('kept').count({ count: '*' })
  await knex.destroy()
  console.log(count)
`

const countedByAnother = async (url: string): Promise<number> => {
  const args = ['--input-type=module', '-e', program, import.meta.resolve('@account-import/adapter-sql'), url]
  return Number((await promisify(execFile)(process.execPath, args)).stdout)
}

test('connections of one process keep their log while others open and close the database', async (t) => {
  const file = join(await tempFolder(t), 'test.db')
  const url = `sqlite:${file}`
  const [first, second] = [connectSql(url), connectSql(url)]
  t.teardown(() => Promise.all([first.destroy(), second.destroy()]))
  await first.schema.createTable('kept', (table) => void table.integer('id'))
  await first('kept').insert({ id: 1 })
  await second('kept').insert({ id: 2 })
  const log = statSync(`${file}-wal`).ino
  t.is(await countedByAnother(url), 2)
  t.is(statSync(`${file}-wal`).ino, log, 'the log is another file')
  await first('kept').insert({ id: 3 })
  await second('kept').insert({ id: 4 })
  t.is(await countedByAnother(url), 4)
})
