import { connectSql, createSqlPorts, DatabaseError } from '@account-import/adapter-sql'
import { TE } from '@account-import/core/adapter-kit'
import test from 'ava'
import createKnex from 'knex'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '../servers/index.js'
import { answer, failure } from '../support/answers.js'
import { testDatabases } from './support/databases.js'
import { keyOf, stagingOf } from './support/imports.js'

const { mariaDb, onMariaDb, onSqlite } = testDatabases()

test('a database that nobody serves fails fast as unavailable, and the cause names no address', async (t) => {
  const knex = connectSql(`mysql://root:geheim@127.0.0.1:${await freePort()}/import`)
  t.teardown(() => knex.destroy())
  const started = performance.now()
  const { kind, cause } = await failure(createSqlPorts(knex).accountImports.find(keyOf('A')))
  t.is(kind, 'unavailable')
  t.true(performance.now() - started < 2000)
  t.notRegex(JSON.stringify(cause), /geheim/)
})

const nothingToDo = async (url: string) => {
  const knex = connectSql(url)
  try {
    return await failure(createSqlPorts(knex).unitOfWork.run(() => TE.right(undefined)))
  } finally {
    await knex.destroy()
  }
}

test('a unit of work whose connection is refused is unavailable, and the cause names no address', async (t) => {
  const { kind, cause } = await nothingToDo(`mysql://root:geheim@127.0.0.1:${await freePort()}/import`)
  t.is(kind, 'unavailable')
  t.true(cause instanceof DatabaseError)
  t.notRegex(JSON.stringify(cause), /geheim|127\.0\.0\.1/)
})

test('a unit of work whose connection is reset while it is set up is unavailable', async (t) => {
  const server = createServer((socket) => socket.resetAndDestroy())
  t.teardown(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { kind, cause } = await nothingToDo(`mysql://root@127.0.0.1:${port}/import`)
  t.is(kind, 'unavailable')
  t.true(cause instanceof DatabaseError)
})

test('an address that is none is refused at once', (t) => {
  for (const url of ['', 'sqlite:', 'postgres://x/y', 'mysql:/x', 'file.db', 'mysql://u:%ZZ@h/d'])
    t.throws(() => connectSql(url), { instanceOf: TypeError })
})

test('a Knex that was set up in another way is refused', async (t) => {
  const knex = createKnex({ client: 'mysql2' })
  t.throws(() => createSqlPorts(knex), { instanceOf: TypeError, message: /connectSql/ })
  await knex.destroy()
})

onMariaDb('a database that goes away is unavailable, and used again when it is back', async (t, { open }) => {
  const { accountImports } = open().ports
  await answer(accountImports.stage([stagingOf('A', '1')]))
  const inFlight = Array.from({ length: 8 }, async (_, worker) => {
    for (let round = 0; ; round += 1) {
      const result = await accountImports.stage([stagingOf(`${worker}-${round}`)])()
      if (result._tag === 'Left') return result.left.kind
    }
  })
  await setTimeout(100)
  await mariaDb().kill()
  t.deepEqual(await Promise.all(inFlight), Array<string>(8).fill('unavailable'))
  t.is((await failure(accountImports.find(keyOf('A')))).kind, 'unavailable')
  await mariaDb().restart()
  t.deepEqual(await answer(accountImports.stage([stagingOf('A', '2')])), [{ _tag: 'replaced', version: 2 }])
  t.is((await answer(accountImports.staged(keyOf('A'))))?.payload, '2')
})

onSqlite('while another process writes, a staging waits without blocking this one', async (t, { open }) => {
  const [writer, other] = [open(), open()]
  const lock = await writer.knex.transaction()
  let turns = 0
  const ticks = setInterval(() => (turns += 1), 10)
  const staging = answer(other.ports.accountImports.stage([stagingOf('A')]))
  await setTimeout(600)
  clearInterval(ticks)
  await lock.rollback()
  t.deepEqual(await staging, [{ _tag: 'created', version: 1 }])
  t.true(other.retries.length > 0 && other.retries.every(({ reason }) => reason === 'busy'))
  t.true(turns > 5, `the event loop turned ${turns} times in 600 ms`)
})

onSqlite('a long run of statements lets other work in', async (t, { open }) => {
  const { accountImports } = open().ports
  let turns = 0
  const ticks = setInterval(() => (turns += 1), 5)
  const started = performance.now()
  while (performance.now() - started < 400) await answer(accountImports.find(keyOf('A')))
  clearInterval(ticks)
  t.true(turns > 2, `the event loop turned ${turns} times in 400 ms`)
})
