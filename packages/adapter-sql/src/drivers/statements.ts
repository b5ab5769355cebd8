import type { Knex } from 'knex'

/** Runs SQL that is written out, with `?` for each value. Every Knex does, and a connection of `onConnection`. */
export type Statements = Readonly<{
  raw(sql: string, bindings: readonly Knex.RawBinding[]): PromiseLike<unknown>
}>

/** What a column takes; undefined is stored as NULL. */
export type SqlValue = string | number | null | undefined
