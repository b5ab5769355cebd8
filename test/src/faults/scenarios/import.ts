import type { AccountKey } from '@account-import/core'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { mixedLines, type ImportSummary } from '../../import/support/importing.js'
import { csvOf } from '../../offline/support/csv.js'
import { outcomeOf, spawnCli, type CliOutcome, type CliProcess } from '../../support/cli-process.js'
import { onBackend, type DatabaseBackend } from '../../support/on-backend.js'
import { brokenAtTheEnd } from '../invariants/broken-invariants.js'
import { inWorld, type World } from '../world/world.js'

type Run = Readonly<{ world: World; folder: string; file: string; lines: number; valid: readonly string[] }>
type Command = Readonly<{ child: CliProcess; ended: Promise<CliOutcome> }>

const startCommand = ({ world: { database, services }, folder, file }: Run): Command => {
  const outputs = ['mapping', 'failures', 'errors'].flatMap((name) => [`--${name}`, join(folder, name)])
  const child = spawnCli(
    ['import', file, '--url', services[0]?.address ?? '', '--team', database.team, '--json', ...outputs],
    { ACCOUNT_IMPORT_API_KEY: database.apiKey },
  )
  return { child, ended: outcomeOf(child) }
}

/** The rows that are counted as imports, and as accounts. */
const counted = { imports: {}, accounts: { state: 'created' } } as const

type Counted = keyof typeof counted

const countIn = async ({ world }: Run, ...kinds: readonly Counted[]): Promise<number> => {
  let sum = 0
  for (const kind of kinds) {
    const rows = world.database.knex('account_imports').where(counted[kind])
    const [row] = (await rows.count({ count: '*' })) as { count: number }[]
    sum += Number(row?.count ?? 0)
  }
  return sum
}

/** Resolves when there are more of these kinds, or the command has ended. */
const untilMore = async (run: Run, { child }: Command, ...kinds: readonly Counted[]): Promise<void> => {
  const before = await countIn(run, ...kinds)
  while (child.exitCode === null && (await countIn(run, ...kinds)) === before) await setTimeout(20)
}

/** Kills the command at a random moment: sometimes before any work is done, else after the first. */
const killCommand = async (run: Run, command: Command): Promise<void> => {
  if (Math.random() > 0.2) await untilMore(run, command, 'accounts', 'imports')
  // Rather early than late: a fast machine has little work left after a second.
  await setTimeout(2500 * Math.random() ** 2)
  command.child.kill('SIGKILL')
  await command.ended
}

/** Kills the server at a random moment while accounts are created; the command has to survive that. */
const killServer = async (run: Run, command: Command, [server] = run.world.services): Promise<void> => {
  await untilMore(run, command, 'accounts')
  await setTimeout(400 * Math.random())
  await server?.kill()
  await setTimeout(500 * Math.random())
  await server?.start()
}

/** Faults in the messages and outputs of a finished command; records its messages. */
const checkLast = async ({ world, folder, lines, valid }: Run, { code, stdout, stderr }: CliOutcome) => {
  if (code !== 1) return { last: undefined, faults: [`the last run ended with ${code}: ${stdout}${stderr}`] }
  const last = JSON.parse(stdout) as ImportSummary
  const faults: string[] = []
  const failed = lines - valid.length
  if (last.accounts !== lines || last.failed !== failed || last.created + last.existing !== valid.length)
    faults.push(`I7: the counts do not add up: ${stdout}`)
  const failures = (await readFile(join(folder, 'failures'), 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
  if (failures.length !== failed || new Set(failures).size !== failed)
    faults.push(`${failures.length} failures are reported, not each of ${failed} once`)
  const rows = csvOf(await readFile(join(folder, 'mapping'), 'utf8')).slice(1)
  const { key } = world.database
  for (const [, number = '', platform = ''] of rows) world.tally.created(key(number), platform)
  if (rows.length !== valid.length) faults.push(`I2: ${rows.length} of ${valid.length} accounts are mapped`)
  return { last, faults }
}

/**
 * Imports a file of a number of lines while `work` kills processes, finishes the import, and compares all data. Without
 * violations `faults` is empty; the accounts after each kill show that kills interrupted the work.
 */
const importing = (
  backend: DatabaseBackend,
  lines: number,
  work: (run: Run) => Promise<readonly [Command, readonly number[]]>,
) =>
  onBackend[backend]((url) =>
    inWorld([url], {}, async (world) => {
      const folder = await mkdtemp(join(tmpdir(), 'account-import-crash-'))
      try {
        const file = join(folder, 'accounts.ndjson')
        const all = mixedLines(world.database.supplier, lines)
        await writeFile(file, all.join('\n'))
        const valid = all.filter((_, at) => at % 5 !== 3)
        const run = { world, folder, file, lines, valid }
        const [command, createdAfterKill] = await work(run)
        const { last, faults } = await checkLast(run, await command.ended)
        noteSent(run, createdAfterKill.length + 10)
        const broken = last === undefined ? [] : await brokenAtTheEnd(world)
        const violations = [...world.tally.violations, ...faults, ...broken]
        return { accounts: valid.length, createdAfterKill, last, faults: violations }
      } finally {
        await rm(folder, { recursive: true })
      }
    }),
  )

/** Each of the commands, and each of their tries, may have sent every line. */
const noteSent = ({ world: { tally, database }, valid }: Run, times: number): void => {
  const keyOf = (payload: object): AccountKey =>
    database.key((payload as { external_account_number: string }).external_account_number)
  for (const line of valid) {
    const payload = JSON.parse(line) as object
    for (let time = 0; time < times; time += 1) tally.stage(keyOf(payload), payload)
  }
}

/** Kills the import command a number of times, and the server under it as often; then one command finishes. */
export const importRun = (backend: DatabaseBackend, kills: number, lines: number) =>
  importing(backend, lines, async (run) => {
    const created: number[] = []
    for (let round = 0; round < kills; round += 1) {
      await killCommand(run, startCommand(run))
      created.push(await countIn(run, 'accounts'))
      const command = startCommand(run)
      await killServer(run, command)
      await killCommand(run, command)
      created.push(await countIn(run, 'accounts'))
    }
    return [startCommand(run), created]
  })

/** Kills the server once while the command works, and lets this command finish. */
export const restartRun = (backend: DatabaseBackend, lines: number) =>
  importing(backend, lines, async (run) => {
    const command = startCommand(run)
    await untilMore(run, command, 'accounts')
    await run.world.services[0]?.kill()
    await run.world.services[0]?.start()
    return [command, []]
  })
