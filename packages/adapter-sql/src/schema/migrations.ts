import * as initial from './0001-schema.js'
import type { Step } from './schema-dialect.js'

export type Migration = Readonly<{ name: string; up: Step }>

/**
 * All migrations, oldest first. A released one stays as it is; a change is a new step at the end. None is ever undone: a
 * restore is from a backup.
 */
export const migrations: readonly Migration[] = [{ name: '0001-schema', ...initial }]

/** The names of all migrations, oldest first. */
export const migrationNames: readonly string[] = migrations.map(({ name }) => name)
