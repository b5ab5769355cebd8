import { connectSql, DatabaseError } from '@account-import/adapter-sql'
import { portFailure, randomPlatformAccountNumbers, type PlatformAccountNumbers } from '@account-import/core'
import { E } from '@account-import/core/fp'
import { portIds } from '@account-import/server'
import test from 'ava'
import { ContainerModule } from 'inversify'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { cliInProcess } from '../support/cli-in-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { plantedAccount, type PlantedAccount } from './support/planted-account.js'
import { canaryWord } from './support/planted.js'
import { createWhole, served } from './support/served-journey.js'

/** The traces of a journey, by where they were found. */
type Traces = Map<string, string>

const leave = (traces: Traces, place: string, text: string): void =>
  void traces.set(place, `${traces.get(place) ?? ''}${text}\n`)

const found = (traces: Traces, canaries: readonly string[]): readonly string[] =>
  [...traces].flatMap(([place, text]) => {
    const low = text.toLowerCase()
    return canaries.some((canary) => low.includes(canary.toLowerCase())) ? [place] : []
  })

const accountsPath = '/v1/data-import/account-import-process/'

test('no log, metric, header, error or command output contains any of 500 planted values', async (t) => {
  const folder = await tempFolder(t)
  const traces: Traces = new Map()
  const log = pino({ level: 'trace' }, { write: (line: string) => leave(traces, 'log', line) })
  const port = { says: undefined as string | undefined }
  const numbers: PlatformAccountNumbers = {
    next: async () =>
      port.says === undefined
        ? randomPlatformAccountNumbers.next()
        : E.left(portFailure('unavailable', 'platformAccountNumbers', 'next', new Error(port.says))),
  }
  const failingPort = new ContainerModule(({ rebind }) => {
    rebind(portIds.platformAccountNumbers).toConstantValue(numbers)
  })
  const options = { log, modules: [failingPort] }
  const journey = await served(t, { DATA_DIR: folder, LOG_LEVEL: 'trace' }, options)
  const { server, post, get, environment, apiKey } = journey
  await cliInProcess(['supplier', 'configure', 'LEVANTE', '--migration-emails', 'on'], environment)
  const planted: PlantedAccount[] = []
  for (let index = 0; index < 10; index += 1) {
    const file = index % 2 === 0 ? 'gas-account.json' : 'electricity-account.json'
    planted.push(await plantedAccount(file, 'LEVANTE', `A-${index}`))
  }
  const canaries = planted.flatMap((each) => each.canaries.map(({ value }) => value))
  t.true(canaries.length >= 500, `${canaries.length} canaries`)

  /** A success contains the sent values; the rest of a response must not. */
  const noted = async (answer: Response): Promise<number> => {
    leave(traces, 'headers', JSON.stringify([...answer.headers]))
    const body = await answer.text()
    if (!answer.ok) leave(traces, `errors ${answer.status}`, body)
    return answer.status
  }
  const wrong = {
    communication_preference: canaryWord(),
    account_type: canaryWord(),
    supply_addresses: canaryWord(),
  }
  canaries.push(...Object.values(wrong))
  const statuses = new Set<number>()
  const knex = connectSql(`sqlite:${join(folder, 'account-import.sqlite')}`)
  t.teardown(() => knex.destroy())
  /** The server writes audit events meanwhile, so a locked database is tried again. */
  const rename = async (from: string, to: string, attempts = 100): Promise<void> => {
    try {
      await knex.schema.renameTable(from, to)
    } catch (cause) {
      if (attempts === 1 || !(cause instanceof DatabaseError) || cause.code !== 'SQLITE_BUSY') throw cause
      await delay(50)
      await rename(from, to, attempts - 1)
    }
  }
  const lines = planted.map(({ account }) => JSON.stringify(account)).join('\n')
  const bulk = { 'Content-Type': 'application/x-ndjson' }
  for (const whole of planted) {
    statuses.add(await noted(await post(`${accountsPath}create-or-update/`, { ...whole.account, ...wrong })))
    statuses.add(
      await noted(await post(`${accountsPath}create-or-update/`, JSON.stringify(whole.account).slice(1))),
    )
    // The database fails in the middle: a table is not there.
    await rename('account_items', 'elsewhere')
    for (const answer of await createWhole(journey, whole)) statuses.add(await noted(answer))
    await rename('elsewhere', 'account_items')
    // A port fails with an error that contains a canary.
    port.says = whole.canaries[0]?.value
    for (const answer of await createWhole(journey, whole)) statuses.add(await noted(answer))
    port.says = undefined
    for (const answer of await createWhole(journey, whole)) statuses.add(await noted(answer))
  }
  /** The whole answer to a bulk request is searched: each line gives the outcome of an account, and not its contents. */
  const answeredInBulk = async (answer: Response, place: string): Promise<number> => {
    leave(traces, 'headers', JSON.stringify([...answer.headers]))
    leave(traces, place, await answer.text())
    return answer.status
  }
  for (const path of ['bulk-validate/', 'bulk-create-or-update/']) {
    const answer = await post(`${accountsPath}${path}`, `${lines}\n{"broken": "${canaries[0]}`, bulk)
    t.is(await answeredInBulk(answer, 'bulk answers'), 200)
  }
  const named = planted.map(({ account }) => account['external_account_number'])
  const processing = {
    import_supplier_code: 'LEVANTE',
    operations_team_name: 'North',
    external_account_numbers: named,
  }
  const processed = await post(`${accountsPath}bulk-process/`, processing)
  t.is(await answeredInBulk(processed, 'bulk-process answer'), 200)
  const results = (traces.get('bulk-process answer') ?? '').split('\n').filter((line) => line !== '')
  for (const number of named)
    t.is(results.filter((line) => line.includes(`"external_account_number":"${String(number)}"`)).length, 1)
  for (const body of [
    { ...processing, dry_run: wrong.account_type },
    JSON.stringify({ ...processing, more: canaries[0] }).slice(1),
  ])
    t.is(await answeredInBulk(await post(`${accountsPath}bulk-process/`, body), 'bulk-process refusal'), 400)
  leave(traces, 'metrics', await (await get('/metrics')).text())
  const file = join(folder, 'accounts.ndjson')
  await writeFile(
    file,
    `${lines}\n${JSON.stringify({ ...planted[0]?.account, ...wrong })}\n{"broken": "${canaries[0]}`,
  )
  for (const args of [
    ['validate', file],
    ['verify'],
    ['account', 'show', 'LEVANTE', 'NOBODY'],
    ['outbox', 'list'],
    ['outbox', 'list', '--json'],
    ['erase', 'LEVANTE', 'A-0'],
    ['erase', 'LEVANTE', 'A-0', '--yes'],
  ]) {
    const { stdout, stderr } = await cliInProcess(args, environment)
    leave(traces, `command ${args.slice(0, 2).join(' ')}`, stdout + stderr)
  }
  for (const args of [[], ['--json']]) {
    const { stdout, stderr } = await cliInProcess(
      ['import', file, '--team', 'North', '--url', server.address, ...args],
      { ...environment, ACCOUNT_IMPORT_API_KEY: apiKey },
    )
    t.regex(stdout + stderr, /invalid|failed/)
    leave(traces, 'command import', stdout + stderr)
  }
  t.regex(traces.get('command outbox list') ?? '', /A-8/)
  // The storage gets the paths of documents and no other values.
  const missing = await cliInProcess(['documents', 'missing', 'LEVANTE'], environment)
  const [paths, others] = [true, false].map((isPath) =>
    planted.flatMap((each) =>
      each.canaries.flatMap(({ path, value }) => (path.endsWith('_path') === isPath ? [value] : [])),
    ),
  ) as [string[], string[]]
  const said = new Map([['documents missing', missing.stdout + missing.stderr]])
  t.deepEqual([found(said, paths).length, found(said, others).length], [1, 0])
  for (const args of [['list'], ['list', '--json'], ['verify']]) {
    const { stdout, stderr } = await cliInProcess(['audit', ...args], environment)
    leave(traces, 'command audit', stdout + stderr)
  }
  // First the unsealed events, and then the sealed ones: they may be sealed meanwhile.
  for (const [table, column] of [
    ['audit_unsealed', '*'],
    ['audit_log', '*'],
  ] as const)
    leave(traces, `table ${table}`, JSON.stringify(await knex(table).select(column)))
  // Whether an entry is sealed by now is a matter of seconds.
  const record = ['audit_log', 'audit_unsealed'].map((table) => traces.get(`table ${table}`))
  for (const place of [traces.get('command audit'), record.join('\n')]) t.regex(place ?? '', /A-8/)
  for (const status of [200, 201, 400, 500, 503])
    t.true(statuses.has(status), `${status} in ${[...statuses].join()}`)
  t.true((traces.get('log') ?? '').split('\n').length > 150)
  t.deepEqual(found(traces, canaries), [])

  log.info({ body: canaries.at(-5) }, 'a leak')
  t.deepEqual(found(traces, canaries), ['log'], 'a leak is found')
})
