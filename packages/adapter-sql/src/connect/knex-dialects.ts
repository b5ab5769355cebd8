import { createRequire } from 'node:module'
import type { Knex } from 'knex'

/** One statement on its way through a Knex dialect. */
export type DialectQuery = {
  sql: string
  bindings?: readonly unknown[]
  options?: Readonly<Record<string, unknown>>
  response?: unknown
}

/** What our dialects use of Knex's: its published classes have no types of their own. */
export interface Dialect<Connection> {
  query(connection: Connection, query: DialectQuery | string): Promise<unknown>
  acquireRawConnection(): Promise<Connection>
  _query(connection: Connection, query: DialectQuery): Promise<DialectQuery>
}

export type DialectClass<Connection> = new (config: Knex.Config) => Dialect<Connection>

const require = createRequire(import.meta.url)

/** A dialect that Knex brings, named by its folder. */
export const dialectClass = <Connection>(name: 'mysql2' | 'better-sqlite3'): DialectClass<Connection> =>
  require(`knex/lib/dialects/${name}/index.js`) as DialectClass<Connection>
