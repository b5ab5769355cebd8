import { createRequire } from 'node:module'
import type { Knex } from 'knex'

/** One statement on its way through a Knex client. */
export type ClientQuery = {
  sql: string
  bindings?: readonly unknown[]
  options?: Readonly<Record<string, unknown>>
  response?: unknown
}

/** What our clients use of Knex's: its published classes have no types of their own. */
export interface Client<Connection> {
  readonly config: Knex.Config
  acquireConnection(): Promise<Connection>
  releaseConnection(connection: Connection): Promise<void>
  validateConnection(connection: Connection): boolean
  destroyRawConnection(connection: Connection): Promise<unknown>
  query(connection: Connection, query: ClientQuery | string): Promise<unknown>
  acquireRawConnection(): Promise<Connection>
  _query(connection: Connection, query: ClientQuery): Promise<ClientQuery>
}

const require = createRequire(import.meta.url)

/** A class of clients that Knex brings, named by its folder. */
export const clientClass = <Connection>(
  name: 'mysql2' | 'better-sqlite3',
): new (config: Knex.Config) => Client<Connection> =>
  require(`knex/lib/dialects/${name}/index.js`) as new (config: Knex.Config) => Client<Connection>
