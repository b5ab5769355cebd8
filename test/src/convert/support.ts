import { createRequire } from 'node:module'
import ava, { type ExecutionContext } from 'ava'
import { cliInProcess } from '../support/cli-in-process.js'
import type { CliOutcome } from '../support/cli-process.js'
import { csvOf } from '../offline/support/csv.js'
import { tempFiles, type TempFiles } from '../support/temp-folder.js'

const isInstalled = (): boolean => {
  try {
    createRequire(import.meta.url).resolve('@duckdb/node-api')
    return true
  } catch {
    if (process.env['REQUIRE_SERVERS'] === '1')
      throw new Error('DuckDB is not installed, and REQUIRE_SERVERS=1 asks for it')
    return false
  }
}

/** A test that needs DuckDB, in series: each has threads of its own. */
export const duckDbTest = isInstalled()
  ? (title: string, run: (t: ExecutionContext) => Promise<void>): void => ava.serial(title, run)
  : (title: string): void => ava.skip(`${title}: DuckDB is not installed`, (t) => t.pass())

/** A folder with exports, and the command run on a mapping in it. */
export type Converting = TempFiles &
  Readonly<{
    /** A mapping without a declaration gets that of `a.csv`. */
    convert(sql: string, args?: readonly string[]): Promise<CliOutcome>
    /** Accounts that a mapping gives, whether they are valid or not. */
    accounts(sql: string, args?: readonly string[]): Promise<readonly unknown[]>
    /** Rows of a table below the names of its columns, each by these. */
    table(name: string): Promise<readonly Readonly<Record<string, string | undefined>>[]>
  }>

export const converting = async (t: ExecutionContext): Promise<Converting> => {
  const files = await tempFiles(t)
  const convert = async (sql: string, args: readonly string[] = []): Promise<CliOutcome> => {
    const mapping = sql.includes('-- source') ? sql : `-- source a = a.csv; delimiter ';'; key none\n${sql}`
    return cliInProcess(['convert', await files.put('mapping.sql', mapping), ...args], {})
  }
  return {
    ...files,
    convert,
    accounts: async (sql, args = []) => {
      const { code, stderr } = await convert(sql, ['--out', files.path('out.ndjson'), ...args])
      t.true(code === 0 || code === 1, stderr)
      const text = (await files.text('out.ndjson')).trimEnd()
      return text.split('\n').map((line) => JSON.parse(line) as unknown)
    },
    table: async (name) => {
      const [head = [], ...rows] = csvOf((await files.text(name)).slice(1))
      return rows.map((row) => Object.fromEntries(head.map((column, at) => [column, row[at]])))
    },
  }
}
