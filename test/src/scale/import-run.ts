import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { outcomeOf, spawnCli } from '../support/cli-process.js'
import type { SharedDatabase } from '../support/shared-database.js'
import { runCommand } from '../servers/run-command.js'
import { bytesOnDisk, tenths } from './created-accounts.js'
import type { Figure } from './figure.js'
import { highestMemory } from './resident-memory.js'
import type { Surroundings } from './with-server.js'

const mostMemory = 400
/** The last tenth is at least 0.9 times as fast as the first. */
const mostSlower = 1 / 0.9

const generator = fileURLToPath(
  new URL('main.js', import.meta.resolve('@account-import/example-generate-accounts')),
)

/** Accounts of the small size, packed, for this supplier. */
const generate = (file: string, supplier: string, count: number): Promise<void> => {
  const options = `--profile small --count ${count} --supplier ${supplier}`
  return runCommand(process.execPath, [generator, ...options.split(' '), '--out', file])
}

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
  { knex, supplier }: SharedDatabase,
  count: number,
  seconds: number,
): Promise<readonly Figure[]> => {
  const [first, last] = await tenths(knex, supplier, count)
  const rate = (part: number): string => `${(count / 10 / part).toFixed(0)} a second`
  return [
    {
      name: 'accounts staged and created',
      detail: `${count} in ${seconds.toFixed(1)} s`,
      value: count / seconds,
      unit: 'a second',
    },
    {
      name: 'time of the last tenth / of the first',
      detail: `${rate(first)} first, ${rate(last)} last`,
      value: last / first,
      unit: 'times',
      most: mostSlower,
    },
  ]
}

const memoryFigure = (name: string, value = Number.NaN): Figure => ({
  name: `highest memory, ${name}`,
  detail: '',
  value,
  unit: 'MiB',
  most: mostMemory,
})

/** Imports a file of so many accounts by the command line, to the end: each is created then. */
export const importFigures = async (
  surroundings: Surroundings,
  count: number,
): Promise<readonly Figure[]> => {
  const { database } = surroundings
  const folder = await mkdtemp(join(tmpdir(), 'account-import-scale-'))
  try {
    const file = join(folder, 'accounts.ndjson.gz')
    await generate(file, database.supplier, count)
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
