import { createRequire } from 'node:module'
import type { Knex } from 'knex'

/** Runs written SQL, with `?` for each value. A Knex has this method, and so has a connection of `onConnection`. */
export type Statements = Readonly<{
  raw(sql: string, bindings: readonly Knex.RawBinding[]): PromiseLike<unknown>
}>

/** A text in a column of bytes (LONGBLOB): UTF-8, or a text where the database has no such columns. */
export type StoredText = string | Buffer

/** A value that a column takes; undefined is stored as NULL. */
export type SqlValue = string | number | Buffer | null | undefined

/** One statement on its way through a Knex client. */
export type ClientQuery = {
  sql: string
  bindings?: readonly unknown[]
  options?: Readonly<Record<string, unknown>>
  /** Only statements that a program makes with Knex have it; those of Knex itself and of the stores do not. */
  method?: string
  response?: unknown
}

/** The parts of Knex that our clients use: its published classes have no types of their own. */
export interface Client<Connection> {
  readonly config: Knex.Config
  acquireConnection(): Promise<Connection>
  releaseConnection(connection: Connection): Promise<void>
  validateConnection(connection: Connection): boolean
  destroyRawConnection(connection: Connection): Promise<unknown>
  query(connection: Connection, query: ClientQuery): Promise<ClientQuery>
  acquireRawConnection(): Promise<Connection>
  _query(connection: Connection, query: ClientQuery): Promise<ClientQuery>
}

const require = createRequire(import.meta.url)

/** A class of Knex's clients, named by its folder. */
export const clientClass = <Connection>(
  name: 'mysql2' | 'better-sqlite3' | 'postgres',
): new (config: Knex.Config) => Client<Connection> =>
  require(`knex/lib/dialects/${name}/index.js`) as new (config: Knex.Config) => Client<Connection>
