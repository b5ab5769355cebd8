import type * as DuckDb from '@duckdb/node-api'
import { FileFailure } from '@account-import/account-files'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { refusedMapping } from './sources.js'

type Connection = DuckDb.DuckDBConnection

/** A text as a literal of SQL. */
export const text = (value: string): string => `'${value.replaceAll("'", "''")}'`

/** A name as an identifier of SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const loaded = async (): Promise<typeof DuckDb> => {
  try {
    return await import('@duckdb/node-api')
  } catch {
    throw new FileFailure(
      'duckdb_missing',
      'convert needs DuckDB, which is a package of its own (70 MB). Install it beside this program: npm install @duckdb/node-api@1.5.6-r.1',
    )
  }
}

/** The relevant lines of DuckDB's message, without the quoted data of customers. */
const messageOf = (message: string): string => {
  const kept = message
    .replace(/^Failed to extract statements: /, '')
    .split('\n')
    .filter((line) => !/^(?:Original Line|Possible Solution)/.test(line) && line.trim() !== '')
  if (kept[0] === 'Error in native callback') return 'The mapping has no statement.'
  const isOfMapping = /^(?:Binder|Catalog|Parser|Permission) Error/.test(kept[0] ?? '')
  if (message.includes('Need named argument for struct pack'))
    return `${kept[0]}. DuckDB loses the name of a member whose value is a macro over a column of the outer query: write the expression of the macro there.`
  if (isOfMapping) return kept.join('\n')
  const shown = kept.filter((line) => /Error|Line/.test(line)).map((line) => line.trim())
  return shown
    .join(' ')
    .replace(/\binput: ".*$/i, 'input …')
    .replaceAll(/(string|value|format:|range:) (["']).*?(?:\2|$)/gi, '$1 …')
}

/** A failure that DuckDB reported, with its own message. */
export class SqlFailure extends FileFailure {
  readonly sqlMessage: string

  constructor(message: string) {
    super('mapping_refused', messageOf(message))
    this.sqlMessage = message
  }

  get isOutOfMemory(): boolean {
    return this.sqlMessage.startsWith('Out of Memory')
  }
}

/** Runs an action on DuckDB; rejects with `FileFailure`. */
export const tried = async <A>(action: () => Promise<A>): Promise<A> => {
  try {
    return await action()
  } catch (cause) {
    if (cause instanceof FileFailure) throw cause
    throw new SqlFailure(cause instanceof Error ? cause.message : String(cause))
  }
}

/** Locks DuckDB: no network, no extensions, no files. */
const settings = [
  "SET TimeZone = 'UTC'",
  // For `unreadSources`: a plan from before the optimizer, which leaves out tables by the values in them.
  "SET explain_output = 'all'",
  'SET allow_persistent_secrets = false',
  'SET enable_external_access = false',
] as const

type Cell = string | number | null

/** A database of its own in a temporary folder. */
export type Database = Readonly<{
  connection: Connection
  /** Runs statements; rejects with `FileFailure`. */
  run(sql: string): Promise<void>
  /** The rows of a small result, with texts and numbers. */
  rows(sql: string): Promise<readonly (readonly Cell[])[]>
  /** A folder that is removed at the end. */
  folder: string
  close(): Promise<void>
}>

/** Begins the name of a temporary folder; the number of its process follows. */
const folderPrefix = `account-import-convert-${hostname()}-`

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    return !(cause instanceof Error && 'code' in cause && cause.code === 'ESRCH')
  }
}

/** Removes the folders of processes that were killed: they have rows of customers. */
const removeLeftFolders = async (): Promise<void> => {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(folderPrefix) ? Number.parseInt(name.slice(folderPrefix.length), 10) : NaN
    // A folder of another user stays; that user's next conversion removes it.
    if (pid > 0 && !isRunning(pid))
      await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined)
  }
}

/**
 * Opens DuckDB with a database on disk, for data that does not fit into memory, and with the variables that a mapping reads.
 * `close` removes the database.
 */
export const openDatabase = async (variables: ReadonlyMap<string, string>): Promise<Database> => {
  const { DuckDBInstance } = await loaded()
  await removeLeftFolders()
  const folder = await mkdtemp(join(tmpdir(), `${folderPrefix}${process.pid}-`))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    const instance = await DuckDBInstance.create(join(folder, 'accounts.duckdb'), {
      allow_community_extensions: 'false',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      memory_limit: '1GB',
      // With several threads, lists without ORDER BY have another order in each run.
      threads: '1',
      temp_directory: folder,
    })
    const connection = await instance.connect()
    const run = (sql: string): Promise<void> => tried(async () => void (await connection.run(sql)))
    for (const setting of settings) await run(setting)
    for (const [name, value] of variables) await run(`SET VARIABLE ${quoted(name)} = ${text(value)}`)
    await run('SET lock_configuration = true')
    return {
      connection,
      run,
      rows: (sql) => tried(async () => (await connection.runAndReadAll(sql)).getRowsJson() as Cell[][]),
      folder,
      close: async () => {
        connection.closeSync()
        instance.closeSync()
        await remove()
      },
    }
  } catch (cause) {
    await remove()
    throw cause instanceof FileFailure ? cause : refusedMapping(`DuckDB cannot be started: ${String(cause)}`)
  }
}
