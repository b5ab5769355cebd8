import { createClient, type Client } from '@account-import/client'
import type { ExecutionContext } from 'ava'
import { invalidAccount } from '../../offline/support/accounts.js'
import { csvOf } from '../../offline/support/csv.js'
import { cliInProcess, type CliSurroundings } from '../../support/cli-in-process.js'
import type { CliEnvironment, CliOutcome } from '../../support/cli-process.js'
import { newSqlite } from '../../support/on-backend.js'
import { gasAccount } from '../../support/samples.js'
import { startServerProcess } from '../../support/server-process.js'
import { openSharedDatabase, type SharedDatabase } from '../../support/shared-database.js'
import { tempFiles, type TempFiles } from '../../support/temp-folder.js'

/** The document of `import --json`, as far as tests read it. */
export type ImportSummary = Readonly<{
  accounts: number
  lines: number
  valid: number
  would_create: number
  would_replace: number
  staged: number
  created: number
  existing: number
  differing: number
  failed: number
  differing_accounts: readonly Readonly<{ line: number; external_account_number: string }>[]
  errors: readonly Readonly<{ code: string; accounts: number }>[]
  run: Readonly<{ retries: number }>
}>

/** An organisation on a server, and a folder to import from. */
export type Importing = TempFiles &
  Readonly<{
    database: SharedDatabase
    address: string
    client: Client
    /** Rows below the names of the columns. */
    rows(name: string): Promise<readonly (readonly string[])[]>
    /** With the key of the organisation, unless the environment is another. */
    run(
      args: readonly string[],
      surroundings?: CliSurroundings & Readonly<{ environment?: CliEnvironment }>,
    ): Promise<CliOutcome>
    /** `import FILE --json` with address, key and team; fails the test unless the exit code is the one named. */
    summary(file: string, args: readonly string[], code: number): Promise<ImportSummary>
  }>

/** Lines of the supplier: every fifth is invalid, the others are valid. */
export const mixedLines = (supplier: string, count: number, prefix = 'N'): readonly string[] =>
  Array.from({ length: count }, (_, at) =>
    at % 5 === 3
      ? JSON.stringify({ ...invalidAccount(`${prefix}-${at}`), import_supplier: supplier })
      : JSON.stringify(gasAccount(supplier, `${prefix}-${at}`)),
  )

/** A server process on a database of SQLite that tests share, each with an organisation of its own. */
export type ImportServer = Readonly<{ url: string; address: string; stop(): Promise<void> }>

export const startImportServer = async (settings: CliEnvironment = {}): Promise<ImportServer> => {
  const { url, remove } = await newSqlite()
  const { environment, close } = await openSharedDatabase(url, { PROCESSING_CLAIM_SECONDS: '1', ...settings })
  await close()
  const server = await startServerProcess(environment)
  const stop = async (): Promise<void> => {
    await server.stop()
    await remove()
  }
  return { url, address: server.address, stop }
}

export const importing = async (
  t: ExecutionContext,
  { url, address }: Pick<ImportServer, 'url' | 'address'>,
): Promise<Importing> => {
  const database = await openSharedDatabase(url)
  t.teardown(() => database.close())
  const files = await tempFiles(t)
  const own = { ACCOUNT_IMPORT_API_KEY: database.apiKey }
  const run: Importing['run'] = (args, { environment = own, ...surroundings } = {}) =>
    cliInProcess(args.includes('--url') ? args : [...args, '--url', address], environment, surroundings)
  return {
    ...files,
    database,
    address,
    client: createClient({ baseUrl: address, apiKey: database.apiKey }),
    rows: async (name) => csvOf((await files.text(name)).replace('\ufeff', '')).slice(1),
    run,
    summary: async (file, args, code) => {
      const outcome = await run(['import', file, '--team', database.team, '--json', ...args])
      t.is(outcome.code, code, outcome.stdout + outcome.stderr)
      t.regex(outcome.stdout, /^[^\n]+\n$/)
      return JSON.parse(outcome.stdout) as ImportSummary
    },
  }
}

/** External and platform numbers of the accounts that a supplier has. */
export const importedOf = async (
  client: Client,
  importSupplier: string,
): Promise<ReadonlyMap<string, string>> => {
  const all = new Map<string, string>()
  for await (const page of client.accountImportPages({ importSupplier, list: 'imported', limit: 1000 })) {
    if (!page.ok) throw new Error(page.problem.detail)
    for (const item of page.body) all.set(item.external_account_number, item.platform_account_number ?? '')
  }
  return all
}
