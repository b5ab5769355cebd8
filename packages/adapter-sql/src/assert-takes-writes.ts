import type { Knex } from 'knex'
import { dialectOf } from './dialects/dialect-of.js'

/**
 * Rejects with a `DatabaseError` of the code `DATABASE_READ_ONLY` or `DATABASE_NOT_IN_CLUSTER` where the database in use
 * takes no writes now, and with the driver's error where it cannot be reached. Where the URL names several servers, one
 * that does take writes is looked for first.
 */
export const assertTakesWrites = (knex: Knex): Promise<void> => dialectOf(knex).assertTakesWrites(knex)
