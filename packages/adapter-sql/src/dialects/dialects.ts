import { mysql } from './mysql.js'
import type { SqlDialect } from './sql-dialect.js'
import { sqlite } from './sqlite.js'

/** Every SQL that the stores speak. */
export const dialects: readonly SqlDialect[] = [mysql, sqlite]
