import { createClient } from '@account-import/client'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { breaksFound } from '../verify/support/breaks-of.js'
import { importedOf, mixedLines, type ImportSummary } from '../import/support/importing.js'
import { csvOf } from '../offline/support/csv.js'
import { freePort } from '../servers/index.js'
import { outcomeOf, spawnCli, type CliOutcome, type CliProcess } from '../support/cli-process.js'
import { startServerProcess, type ServerProcess } from '../support/server-process.js'
import { openSharedDatabase, type SharedDatabase } from '../support/shared-database.js'

/** What came of it. All is well when `faults` is empty. */
export type ImportCrashSummary = Readonly<{
  commandKills: number
  serverKills: number
  accounts: number
  /** Accounts that were there after each kill, which shows that kills fell into the work. */
  createdAfterKill: readonly number[]
  last: ImportSummary | undefined
  seconds: number
  faults: readonly string[]
}>

type Run = Readonly<{
  database: SharedDatabase
  folder: string
  file: string
  port: number
  lines: number
  valid: number
  faults: string[]
}>

type Command = Readonly<{ child: CliProcess; ended: Promise<CliOutcome> }>

const startServer = ({ database, port }: Run): Promise<ServerProcess> =>
  startServerProcess({ ...database.environment, PORT: String(port) })

const startCommand = ({ database, folder, file, port }: Run): Command => {
  const outputs = ['mapping', 'failures', 'errors'].flatMap((name) => [`--${name}`, join(folder, name)])
  const child = spawnCli(
    ['import', file, '--url', `http://127.0.0.1:${port}`, '--team', database.team, '--json', ...outputs],
    { ACCOUNT_IMPORT_API_KEY: database.apiKey },
  )
  return { child, ended: outcomeOf(child) }
}

const countIn = async ({ database }: Run, table: 'accounts' | 'account_imports'): Promise<number> => {
  const [row] = (await database.knex(table).count({ count: '*' })) as { count: number }[]
  return Number(row?.count ?? 0)
}

const untilMore = async (command: Command, count: () => Promise<number>): Promise<void> => {
  const before = await count()
  while (command.child.exitCode === null && (await count()) === before) await setTimeout(20)
}

/** A random moment: once in a while before anything is done, else after the first thing that is seen to be done. */
const someTime = async (run: Run, command: Command): Promise<void> => {
  const done = async (): Promise<number> =>
    (await countIn(run, 'accounts')) + (await countIn(run, 'account_imports'))
  if (Math.random() > 0.2) await untilMore(command, done)
  // Rather early than late: on a fast machine little is left after a second.
  await setTimeout(2500 * Math.random() ** 2)
}

/** A random moment while accounts are being created. */
const whileCreating = async (run: Run, command: Command): Promise<void> => {
  await untilMore(command, () => countIn(run, 'accounts'))
  await setTimeout(400 * Math.random())
}

const killCommand = async (run: Run): Promise<void> => {
  const command = startCommand(run)
  await someTime(run, command)
  command.child.kill('SIGKILL')
  await command.ended
}

/** The command has to come through the death of its server. */
const killServer = async (run: Run, server: ServerProcess): Promise<ServerProcess> => {
  const command = startCommand(run)
  await whileCreating(run, command)
  await server.kill()
  await setTimeout(Math.random() * 500)
  const next = await startServer(run)
  await someTime(run, command)
  command.child.kill('SIGKILL')
  await command.ended
  return next
}

const checkLast = async (
  run: Run,
  { code, stdout, stderr }: CliOutcome,
): Promise<ImportSummary | undefined> => {
  const { folder, faults, lines, valid } = run
  if (code !== 1) {
    faults.push(`the last run ended with ${code}: ${stdout}${stderr}`)
    return undefined
  }
  const summary = JSON.parse(stdout) as ImportSummary
  const { created, existing, failed, accounts } = summary
  if (accounts !== lines || failed !== lines - valid || created + existing !== valid)
    faults.push(`the counts do not add up: ${stdout}`)
  const failures = (await readFile(join(folder, 'failures'), 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
  if (failures.length !== lines - valid || new Set(failures).size !== failures.length)
    faults.push(`${failures.length} failures are reported, not each of ${lines - valid} once`)
  return summary
}

const checkAccounts = async (run: Run): Promise<void> => {
  const { database, port, folder, faults, valid } = run
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: database.apiKey })
  const imported = await importedOf(client, database.supplier)
  const created = await countIn(run, 'accounts')
  if (imported.size !== valid || created !== valid)
    faults.push(`${created} accounts, ${imported.size} of them listed, not ${valid}`)
  const rows = csvOf(await readFile(join(folder, 'mapping'), 'utf8')).slice(1)
  const mapped = new Map(rows.map(([, external = '', platform = '']) => [external, platform]))
  if (
    rows.length !== valid ||
    [...imported].some(([external, platform]) => mapped.get(external) !== platform)
  )
    faults.push('the mapping is not what is there')
  const summary = await client.accountImportSummary(database.supplier)
  if (!summary.ok || summary.body.total !== valid || summary.body.created !== valid)
    faults.push(`the summary does not add up: ${JSON.stringify(summary)}`)
  faults.push(...(await breaksFound(database.knex)))
}

const inFolder = async <A>(work: (folder: string) => Promise<A>): Promise<A> => {
  const folder = await mkdtemp(join(tmpdir(), 'account-import-crash-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const kill = async (
  run: Run,
  kills: number,
): Promise<Readonly<{ server: ServerProcess; created: number[] }>> => {
  const created: number[] = []
  let server = await startServer(run)
  for (let round = 0; round < kills; round += 1) {
    await killCommand(run)
    created.push(await countIn(run, 'accounts'))
    server = await killServer(run, server)
    created.push(await countIn(run, 'accounts'))
  }
  return { server, created }
}

const withRun = <A>(url: string, lines: number, work: (run: Run) => Promise<A>): Promise<A> =>
  inFolder(async (folder) => {
    const database = await openSharedDatabase(url, { PROCESSING_CLAIM_SECONDS: '1' })
    try {
      const file = join(folder, 'accounts.ndjson')
      const all = mixedLines(database.supplier, lines)
      await writeFile(file, all.join('\n'))
      const valid = all.filter((_, at) => at % 5 !== 3).length
      return await work({ database, folder, file, port: await freePort(), lines, valid, faults: [] })
    } finally {
      await database.close()
    }
  })

/**
 * Kills the import command so many times at random moments, and the server under it as often; then the command runs to
 * its end, and everything is compared. The database is empty before.
 */
export const importCrashRun = (url: string, kills: number, lines: number): Promise<ImportCrashSummary> =>
  withRun(url, lines, async (run) => {
    const begun = Date.now()
    const { server, created } = await kill(run, kills)
    const last = await checkLast(run, await startCommand(run).ended)
    if (last !== undefined) await checkAccounts(run)
    await server.stop()
    return {
      commandKills: kills,
      serverKills: kills,
      accounts: run.valid,
      createdAfterKill: created,
      last,
      seconds: Math.round((Date.now() - begun) / 1000),
      faults: run.faults,
    }
  })

/** Kills the server once while the command works, starts another one, and lets the command come to its end. */
export const restartRun = (
  url: string,
  lines: number,
): Promise<Pick<ImportCrashSummary, 'last' | 'faults'>> =>
  withRun(url, lines, async (run) => {
    const server = await startServer(run)
    const command = startCommand(run)
    while (command.child.exitCode === null && (await countIn(run, 'accounts')) === 0) await setTimeout(10)
    await server.kill()
    const next = await startServer(run)
    const last = await checkLast(run, await command.ended)
    if (last !== undefined) await checkAccounts(run)
    await next.stop()
    return { last, faults: run.faults }
  })
