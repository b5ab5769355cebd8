import { connectSql, createSqlPorts, DatabaseError, migrate } from '@account-import/adapter-sql'
import test, { type ExecutionContext } from 'ava'
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Certificates, makeCertificates, type Postgresql, startPostgresql } from '../servers/index.js'
import { answer } from '../support/answers.js'
import { cliInProcess } from '../support/cli-in-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { stagingOf } from './support/imports.js'

const folder = mkdtempSync(join(tmpdir(), 'account-import-tls-'))
let servers: readonly [Postgresql, Postgresql]
let [ofAddress, ofStranger]: (Certificates | undefined)[] = []

/** Certificate and key for a server, which reads no key that others may read. */
const serving = ({ certificate, key }: Certificates): readonly string[] => {
  chmodSync(key, 0o600)
  if (process.getuid?.() === 0) chownSync(key, 65_534, 65_534)
  return ['ssl=on', `ssl_cert_file=${certificate}`, `ssl_key_file=${key}`]
}

test.before('start two servers, of which the first offers TLS', async () => {
  ofAddress = await makeCertificates(folder, 'address', 'IP:127.0.0.1')
  ofStranger = await makeCertificates(folder, 'stranger', 'IP:127.0.0.1')
  servers = await Promise.all([startPostgresql(serving(ofAddress)), startPostgresql()])
})
test.after.always('stop them', async () => {
  await Promise.all((servers ?? []).map((server) => server.stop()))
  rmSync(folder, { recursive: true, force: true })
})

const nameIn = (url: string): string => new URL(url).pathname.slice(1)

/** A database of the same name on both servers, with the tables. */
const migrated = async (t: ExecutionContext, name: string) => {
  for (const server of servers) {
    await server.query(`CREATE DATABASE ${name}`)
    const knex = connectSql(server.url(name))
    await migrate(knex)
    await knex.destroy()
  }
  const [one, other] = servers
  const open = (first: Postgresql, second: Postgresql) => {
    const knex = connectSql(`postgres://postgres@127.0.0.1:${first.port},127.0.0.1:${second.port}/${name}`)
    t.teardown(() => knex.destroy())
    return createSqlPorts(knex)
  }
  const importsOn = async (server: Postgresql): Promise<number> =>
    (await server.query('SELECT external_account_number FROM account_imports', name)).length
  const setReadOnly = (server: Postgresql, value: 'on' | 'off') =>
    server.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`)
  return { one, other, open, importsOn, setReadOnly }
}

test.serial('a pool with several servers uses the first that takes writes', async (t) => {
  const { one, other, open, importsOn, setReadOnly } = await migrated(t, 'in_order')
  await answer(open(one, other).accountImports.stage([stagingOf('A')]))
  t.deepEqual([await importsOn(one), await importsOn(other)], [1, 0])
  await setReadOnly(one, 'on')
  await answer(open(one, other).accountImports.stage([stagingOf('B')]))
  t.deepEqual([await importsOn(one), await importsOn(other)], [1, 1])
})

test.serial(
  'a pool goes on with another server when its own no longer takes writes, or is gone',
  async (t) => {
    const { one, other, open, importsOn } = await migrated(t, 'moved')
    const { accountImports } = open(other, one)
    await answer(accountImports.stage([stagingOf('A')]))
    await other.query('ALTER SYSTEM SET default_transaction_read_only = on')
    await other.query('SELECT PG_RELOAD_CONF()')
    await answer(accountImports.stage([stagingOf('B')]))
    t.deepEqual([await importsOn(one), await importsOn(other)], [1, 1])
    await other.query('ALTER SYSTEM RESET default_transaction_read_only')
    await other.restart()
    await one.kill()
    const begun = performance.now()
    for (;;) {
      const staged = await accountImports.stage([stagingOf('C')])
      if (staged._tag === 'Right') break
      t.is(staged.left.kind, 'unavailable')
      if (performance.now() - begun > 20_000) return t.fail('nothing was staged in 20 s')
    }
    t.is(await importsOn(other), 2)
    await one.restart()
  },
)

/** How a database is reached with these parameters. */
const reached = async (server: Postgresql, parameters: string): Promise<unknown> => {
  const knex = connectSql(`${server.url('postgres')}${parameters}`)
  try {
    const { rows } = (await knex.raw('SELECT ssl FROM pg_stat_ssl WHERE pid = PG_BACKEND_PID()')) as {
      rows: { ssl: boolean }[]
    }
    return rows[0]?.ssl === true ? 'encrypted' : 'plain'
  } catch (cause) {
    return cause instanceof DatabaseError ? cause.code : cause
  } finally {
    await knex.destroy()
  }
}

test.serial(
  'TLS is verified with the named authorities, and refused where the server offers none',
  async (t) => {
    const [withTls, without] = servers
    const trusting = (certificates: Certificates | undefined) => `?tls-ca=${certificates?.authority}`
    t.is(await reached(withTls, trusting(ofAddress)), 'encrypted')
    t.is(await reached(withTls, trusting(ofStranger)), 'HANDSHAKE_SSL_ERROR')
    t.is(await reached(withTls, '?tls=on'), 'HANDSHAKE_SSL_ERROR')
    t.is(await reached(withTls, ''), 'plain')
    t.is(await reached(without, '?tls=on'), 'HANDSHAKE_NO_SSL_SUPPORT')
  },
)

test.serial('a database with another encoding ends a start with a sentence and code 2', async (t) => {
  const [server] = servers
  await server.query("CREATE DATABASE of_bytes ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
  const given = { DATABASE_URL: server.url('of_bytes'), DATA_DIR: await tempFolder(t) }
  const { code, stderr } = await cliInProcess(['migrate'], given)
  t.is(code, 2)
  t.regex(stderr, /DATABASE_URL names a database whose encoding is not UTF8\. Create one: CREATE DATABASE/)
})

test.serial('what the database refuses at a start is said with its remedy', async (t) => {
  const [server] = servers
  await server.query("CREATE ROLE weak LOGIN PASSWORD 'secret'")
  const given = async (url: string) => {
    const { code, stderr } = await cliInProcess(['migrate'], {
      DATABASE_URL: url,
      DATA_DIR: await tempFolder(t),
    })
    return `${code} ${stderr}`
  }
  t.regex(await given(server.url('of_nobody')), /^3 .*The database that DATABASE_URL names does not exist/s)
  const weak = (await server.createDatabase()).replace('postgres@', 'weak@')
  t.regex(await given(weak), /^3 .*lacks a right in the database\. An administrator makes it the owner/s)
  await server.query(`ALTER DATABASE ${nameIn(weak)} OWNER TO weak`)
  t.regex(await given(weak), /^0 /)
})
