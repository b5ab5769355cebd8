import type * as DuckDb from '@duckdb/node-api'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FileFailure } from '@account-import/account-files'
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

/**
 * Opens DuckDB with a database on disk, for data that does not fit into memory, and with the variables that a mapping reads.
 * `close` removes the database.
 */
export const openDatabase = async (variables: ReadonlyMap<string, string>): Promise<Database> => {
  const { DuckDBInstance } = await loaded()
  const folder = await mkdtemp(join(tmpdir(), 'account-import-convert-'))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    const instance = await DuckDBInstance.create(join(folder, 'accounts.duckdb'), {
      allow_community_extensions: 'false',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      memory_limit: '1GB',
      temp_directory: folder,
    })
    const connection = await instance.connect()
    const run = (sql: string): Promise<void> => tried(async () => void (await connection.run(sql)))
    for (const setting of settings) await run(setting)
    for (const [name, value] of variables) await run(`SET VARIABLE ${quoted(name)} = ${text(value)}`)
    // The parts of a query need no condition in it; a mapping that has one still runs.
    await run('CREATE TEMP MACRO in_slice(key) AS true')
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
