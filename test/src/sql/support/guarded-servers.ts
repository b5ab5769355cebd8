import test, { type ExecutionContext } from 'ava'
import { createConnection } from 'mysql2/promise'
import { givenServer, mariaDbAvailable, startMariaDb, type DatabaseServer } from '../../servers/index.js'

/** Settings of a session with which a program that leaves them as they are would fail, or store or read something else. */
const against = [
  'autocommit = 0',
  'completion_type = 2',
  "sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'",
  'sql_select_limit = 1',
  'sql_safe_updates = 1',
  'max_join_size = 1',
  'sql_auto_is_null = 1',
  'foreign_key_checks = 0',
  'unique_checks = 0',
  'default_storage_engine = MyISAM',
  'max_sort_length = 64',
  'group_concat_max_len = 4',
  'innodb_lock_wait_timeout = 1',
]

const ofMariaDb = ['max_statement_time = 0.0001', 'tx_read_only = 1', "tx_isolation = 'SERIALIZABLE'"]
const ofMysql = [
  "time_zone = '-09:30'",
  'max_execution_time = 1',
  'transaction_read_only = 1',
  "transaction_isolation = 'SERIALIZABLE'",
]

/** Statements that make the settings those with which every session begins whose user is no administrator. */
const makeInitial = (settings: readonly string[]): string =>
  `SET GLOBAL init_connect = "SET SESSION ${settings.join(', ')}"`

const user = 'guarded'

/** A database on a server whose sessions begin with settings against the service. */
type GuardedDatabase = Readonly<{
  /** Of a user with the rights in the database alone. */
  url: string
  /** Of a user with all rights on the server. */
  administratorUrl: string
}>

const administer = async (url: string, ...statements: readonly string[]): Promise<void> => {
  const connection = await createConnection({ uri: url })
  try {
    for (const statement of statements) await connection.query(statement)
  } finally {
    await connection.end()
  }
}

type Started = Readonly<{ server: DatabaseServer; change: readonly string[]; undo: readonly string[] }>

// The time zone of the server that this thread starts.
process.env['TZ'] = 'Europe/Madrid'

const startOwn = async (): Promise<Started> => ({
  server: await startMariaDb(),
  // As defaults of the server too, which DEFAULT means in a SET.
  change: [makeInitial([...against, ...ofMariaDb]), ...against.map((setting) => `SET GLOBAL ${setting}`)],
  undo: [],
})

/** On a server of others only what does not concern their users. */
const onGiven = (server: DatabaseServer): Started => ({
  server,
  change: [makeInitial([...against, ...ofMysql])],
  undo: ["SET GLOBAL init_connect = ''", `DROP USER ${user}`],
})

type Body = (t: ExecutionContext, database: GuardedDatabase) => Promise<void>

/**
 * Registers tests on servers whose settings are against the service: MariaDB, and the MySQL of the environment. To be called once
 * in a test file. The tests of a server run one after the other.
 */
export const guardedServers = (): ((title: string, body: Body) => void) => {
  const given = givenServer()
  const kinds: readonly (readonly [string, () => Promise<Started>])[] = [
    ...(mariaDbAvailable() ? [['MariaDB', startOwn] as const] : []),
    ...(given === undefined ? [] : [['given server', async () => onGiven(given)] as const]),
  ]
  const register = kinds.map(([name, start]) => {
    let started: Started
    let first: string
    test.before(`set ${name} against the service`, async () => {
      started = await start()
      first = await started.server.createDatabase()
      await administer(first, `CREATE USER ${user} IDENTIFIED BY ''`, ...started.change)
    })
    test.after.always(`stop or restore ${name}`, async () => {
      await administer(first, ...started.undo)
      await started.server.stop()
    })
    return (title: string, body: Body): void =>
      test(`${title} (${name})`, async (t) => {
        const administratorUrl = await started.server.createDatabase()
        const url = new URL(administratorUrl)
        await administer(administratorUrl, `GRANT ALL ON ${url.pathname.slice(1)}.* TO ${user}`)
        url.username = user
        await body(t, { url: url.href, administratorUrl })
      })
  })
  return (title, body) => {
    for (const on of register) on(title, body)
  }
}
