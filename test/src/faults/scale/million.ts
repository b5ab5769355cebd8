import { instantOf, type StagedImport } from '@account-import/core'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../../servers/index.js'
import { answer } from '../../support/answers.js'
import { outcomeOf, spawnCli } from '../../support/cli-process.js'
import { median } from '../../support/median.js'
import { highestMemory } from '../../support/resident-memory.js'
import type { SharedDatabase } from '../../support/shared-database.js'
import { verified } from '../../verify/support/breaks-of.js'
import { listFigures, stageMany, withDatabase, withServer, type Figure, type Surroundings } from './lists.js'

type Knex = SharedDatabase['knex']

const timesPage = 20_000

/** The time at which each account of a supplier was created, in seconds, by short reads. */
const creationTimes = async ({ knex, organisation, supplier }: SharedDatabase): Promise<Float64Array> => {
  const times: number[] = []
  for (let after = ''; ;) {
    const rows = (await knex('account_imports')
      .where({ organisation, import_supplier: supplier, state: 'created' })
      .where('external_account_number', '>', after)
      .orderBy('external_account_number')
      .limit(timesPage)
      .select('external_account_number', 'account_created_at as created_at')) as readonly Readonly<{
      external_account_number: string
      created_at: string | Date
    }>[]
    for (const { created_at } of rows)
      times.push(Date.parse(`${String(created_at).replace(' ', 'T')}Z`) / 1000)
    const last = rows[timesPage - 1]
    if (last === undefined) return Float64Array.from(times).sort()
    after = last.external_account_number
  }
}

/** Seconds in which the first and the last tenth of a supplier's accounts were created. */
const tenths = async (database: SharedDatabase): Promise<readonly [number, number]> => {
  const times = await creationTimes(database)
  const tenth = Math.floor(times.length / 10)
  const at = (place: number): number => times[place] ?? NaN
  return [at(tenth) - at(0), at(times.length - 1) - at(times.length - 1 - tenth)]
}

const bytesOnDisk = async (knex: Knex): Promise<number> => {
  const [rows] = (await knex.raw(
    "SELECT SUM(file_size) AS bytes FROM information_schema.innodb_sys_tablespaces WHERE name LIKE CONCAT(DATABASE(), '/%')",
  )) as [readonly Readonly<{ bytes: number | string }>[]]
  return Number(rows[0]?.bytes)
}

const mostMemory = 400
const mostSlower = 1 / 0.9

const generator = fileURLToPath(
  new URL('main.js', import.meta.resolve('@account-import/example-generate-accounts')),
)

type Answer = Readonly<{ accounts: number; created: number; failed: number }>

const importFile = async (
  { database, address, pid }: Surroundings,
  file: string,
): Promise<Readonly<{ answer: Answer; seconds: number; memory: readonly number[] }>> => {
  const begun = performance.now()
  const child = spawnCli(['import', file, '--url', address, '--team', database.team, '--json'], {
    ACCOUNT_IMPORT_API_KEY: database.apiKey,
  })
  const ended = outcomeOf(child)
  const memory = await highestMemory([pid, child.pid ?? -1], ended)
  const { code, stdout, stderr } = await ended
  if (code !== 0)
    throw new Error(`The import ended with ${code}: ${stdout.slice(0, 2000)}\n${stderr.slice(-2000)}`)
  return { answer: JSON.parse(stdout) as Answer, seconds: (performance.now() - begun) / 1000, memory }
}

const timeFigures = async (
  database: SharedDatabase,
  count: number,
  seconds: number,
): Promise<readonly Figure[]> => {
  const [first, last] = await tenths(database)
  const rate = (part: number): string => `${(count / 10 / part).toFixed(0)} a second`
  const [name, detail] = ['accounts staged and created', `${count} in ${seconds.toFixed(1)} s`]
  return [
    { name, detail, value: count / seconds, unit: 'a second' },
    {
      name: 'time of the last tenth / of the first',
      detail: `${rate(first)} first, ${rate(last)} last`,
      value: last / first,
      unit: 'times',
      most: mostSlower,
    },
  ]
}

const memoryFigure = (who: string, value = Number.NaN): Figure => {
  const name = `highest memory, ${who}`
  return { name, detail: '', value, unit: 'MiB', most: mostMemory }
}

/** Imports a file of a number of accounts by the command line, until each is created. */
const importFigures = async (surroundings: Surroundings, count: number): Promise<readonly Figure[]> => {
  const { database } = surroundings
  const folder = await mkdtemp(join(tmpdir(), 'account-import-scale-'))
  try {
    const file = join(folder, 'accounts.ndjson.gz')
    const options = `--profile small --count ${count} --supplier ${database.supplier}`
    await runCommand(process.execPath, [generator, ...options.split(' '), '--out', file])
    const { answer, seconds, memory } = await importFile(surroundings, file)
    if (answer.created !== count || answer.failed !== 0)
      throw new Error(`Of ${count} accounts ${answer.created} were created, ${answer.failed} failed`)
    const [server, command] = memory
    const bytes = await bytesOnDisk(database.knex)
    return [
      ...(await timeFigures(database, count, seconds)),
      memoryFigure('server', server),
      memoryFigure('command line', command),
      {
        name: 'on disk, an account',
        detail: `${(bytes / 2 ** 30).toFixed(2)} GiB, the packed file ${((await stat(file)).size / 2 ** 20).toFixed(0)} MiB`,
        value: bytes / 1024 / count,
        unit: 'KiB',
      },
    ]
  } finally {
    await rm(folder, { recursive: true })
  }
}

const mostPendingMilliseconds = 20
const measurements = 20

// The number of accounts that bulk processing reads at once, and that it claims by one statement.
const page = 1000
const claimed = 16

/** Reads the imports after this one as bulk processing does, and claims the first of them. */
const takeNext = async (database: SharedDatabase, after: StagedImport | undefined) => {
  const { stores, organisation, supplier, key } = database
  const begun = performance.now()
  const at = instantOf(Date.now())
  const request = { organisation, importSupplier: supplier, until: at, limit: page }
  const staged = await answer(
    stores.accountImports.stagedPage(after === undefined ? request : { ...request, after }),
  )
  const claims = staged.slice(0, claimed).map(({ externalAccountNumber }) => ({
    key: key(externalAccountNumber),
    token: `claim-${externalAccountNumber}`,
    at,
    expiresAt: instantOf(Date.now() + 60_000),
    countsAsAttempt: false,
  }))
  const outcomes = await answer(stores.accountImports.claim(claims))
  const milliseconds = performance.now() - begun
  if (outcomes.some(({ _tag }) => _tag !== 'claimed')) throw new Error('Staged accounts could not be claimed')
  await answer(stores.accountImports.release(claims))
  return { staged, milliseconds }
}

/** Stages a number of imports and measures how long bulk processing waits for the next ones, from the first to the last. */
const pendingFigure = async (database: SharedDatabase, count: number): Promise<Figure> => {
  await stageMany(database, count)
  await takeNext(database, undefined) // connects and prepares the statements
  const times: number[] = []
  const pages = Math.floor(count / page)
  let after: StagedImport | undefined
  for (let at = 0; at < pages; at += 1) {
    const { staged, milliseconds } = await takeNext(database, after)
    if (at % Math.ceil(pages / measurements) === 0) times.push(milliseconds)
    after = staged.at(-1)
  }
  return {
    name: `next ${page} staged, ${claimed} claimed`,
    detail: `${count} pending; first ${times[0]?.toFixed(1)}, last ${times.at(-1)?.toFixed(1)} ms`,
    value: median(times),
    unit: 'ms',
    most: mostPendingMilliseconds,
  }
}

const summaryFigure = async ({ get }: Surroundings, count: number): Promise<Figure> => {
  const times: number[] = []
  for (let repetition = 0; repetition < 20; repetition += 1) {
    const begun = performance.now()
    const { created } = (await (await get('account-import-summary')).json()) as Readonly<{ created: number }>
    times.push(performance.now() - begun)
    if (created !== count) throw new Error(`The summary counts ${created} accounts, not ${count}`)
  }
  const detail = `slowest ${Math.max(...times).toFixed(1)} ms`
  return { name: 'summary', detail, value: median(times), unit: 'ms', most: 300 }
}

/** Verifies all data that the import left. */
const verifyFigure = async ({ knex }: SharedDatabase, count: number): Promise<Figure> => {
  const begun = performance.now()
  const { breaks, looked } = await verified(knex)
  const seconds = (performance.now() - begun) / 1000
  if (breaks.length > 0) throw new Error(`${breaks.length} breaks, the first ${JSON.stringify(breaks[0])}`)
  if (looked.accounts !== count) throw new Error(`${looked.accounts} accounts were verified, not ${count}`)
  return {
    name: 'accounts verified, without a break',
    detail: `${looked.rows} rows in ${seconds.toFixed(1)} s`,
    value: count / seconds,
    unit: 'a second',
  }
}

/**
 * Imports a number of accounts by the command line, on an empty MySQL or MariaDB, reads their lists and summary from a restarted
 * server, verifies the database, and then stages nine tenths as many.
 */
export const millionRun = (url: string, count: number): Promise<readonly Figure[]> =>
  withDatabase(url, async (database) => [
    ...(await withServer(database, (surroundings) => importFigures(surroundings, count))),
    ...(await withServer(database, async (surroundings) => [
      ...(await listFigures(surroundings, ['all', 'imported'], count)),
      await summaryFigure(surroundings, count),
    ])),
    await verifyFigure(database, count),
    await pendingFigure(database, Math.floor(count * 0.9)),
  ])
