import type { Knex } from 'knex'

/**
 * The differences between databases that steps have to know. Steps run on every new database for ever, so a dialect that
 * they have run on is to answer what it has always answered.
 */
export type SchemaDialect = Readonly<{
  name: string
  /**
   * The collation for tables that keeps different texts different: it compares code points and does not ignore spaces
   * at the end. Undefined where there is no other.
   */
  exactCollation(knex: Knex): Promise<string | undefined>
  hasIndex(knex: Knex, table: string, index: string): Promise<boolean>
}>

/** A step of the migrations; it is done once on each database. */
export type Step = (knex: Knex, schema: SchemaDialect) => Promise<void>
