import { connectSql } from '@account-import/adapter-sql'
import { portFailure, randomPlatformAccountNumbers, type PlatformAccountNumbers } from '@account-import/core'
import { TE } from '@account-import/core/adapter-kit'
import { portIds } from '@account-import/server'
import { ContainerModule } from 'inversify'
import { pino } from 'pino'
import test from 'ava'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cliInProcess } from '../support/cli-in-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { canaryWord } from './support/planted.js'
import { plantedAccount, type PlantedAccount } from './support/planted-account.js'
import { createWhole, served } from './support/served-journey.js'

/** What is left behind by a journey, by where it was found. */
type Traces = Map<string, string>

const leave = (traces: Traces, place: string, text: string): void =>
  void traces.set(place, `${traces.get(place) ?? ''}${text}\n`)

const found = (traces: Traces, canaries: readonly string[]): readonly string[] =>
  [...traces].flatMap(([place, text]) => {
    const low = text.toLowerCase()
    return canaries.some((canary) => low.includes(canary.toLowerCase())) ? [place] : []
  })

const accountsPath = '/v1/data-import/account-import-process/'

test('of 500 values planted in accounts none is in logs, metrics, headers, errors, or what commands say', async (t) => {
  const folder = await tempFolder(t)
  const traces: Traces = new Map()
  const log = pino({ level: 'trace' }, { write: (line: string) => leave(traces, 'log', line) })
  const port = { says: undefined as string | undefined }
  const numbers: PlatformAccountNumbers = {
    next: () =>
      port.says === undefined
        ? randomPlatformAccountNumbers.next()
        : TE.left(portFailure('unavailable', 'platformAccountNumbers', 'next', new Error(port.says))),
  }
  const failingPort = new ContainerModule(({ rebind }) => {
    rebind(portIds.platformAccountNumbers).toConstantValue(numbers)
  })
  const options = { log, modules: [failingPort] }
  const journey = await served(t, { DATA_DIR: folder, LOG_LEVEL: 'trace' }, options)
  const { server, post, get, environment, apiKey } = journey
  const planted: PlantedAccount[] = []
  for (let index = 0; index < 10; index += 1) {
    const file = index % 2 === 0 ? 'gas-account.json' : 'electricity-account.json'
    planted.push(await plantedAccount(file, 'LEVANTE', `A-${index}`))
  }
  const canaries = planted.flatMap((each) => each.canaries.map(({ value }) => value))
  t.true(canaries.length >= 500, `${canaries.length} canaries`)

  /** Success echoes what was sent; all else of an answer must not. */
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
  const lines = planted.map(({ account }) => JSON.stringify(account)).join('\n')
  const bulk = { 'Content-Type': 'application/x-ndjson' }
  for (const whole of planted) {
    statuses.add(await noted(await post(`${accountsPath}create-or-update/`, { ...whole.account, ...wrong })))
    statuses.add(
      await noted(await post(`${accountsPath}create-or-update/`, JSON.stringify(whole.account).slice(1))),
    )
    // The database fails in the middle: a table is not there.
    await knex.schema.renameTable('customers', 'elsewhere')
    for (const answer of await createWhole(journey, whole)) statuses.add(await noted(answer))
    await knex.schema.renameTable('elsewhere', 'customers')
    // A port fails, and its error says what it should not.
    port.says = whole.canaries[0]?.value
    for (const answer of await createWhole(journey, whole)) statuses.add(await noted(answer))
    port.says = undefined
    for (const answer of await createWhole(journey, whole)) statuses.add(await noted(answer))
  }
  for (const path of ['bulk-validate/', 'bulk-create-or-update/']) {
    const answer = await post(`${accountsPath}${path}`, `${lines}\n{"broken": "${canaries[0]}`, bulk)
    leave(traces, 'headers', JSON.stringify([...answer.headers]))
    leave(traces, 'bulk answers', await answer.text())
  }
  const processing = planted.map(({ account }) =>
    JSON.stringify({
      import_supplier_code: account['import_supplier'],
      external_account_number: account['external_account_number'],
      operations_team_name: 'North',
    }),
  )
  const processed = await post(
    `${accountsPath}bulk-process/`,
    `${processing.join('\n')}\n{"external_account_number": "${canaries[0]}"}\n{"broken": "${canaries[0]}`,
    bulk,
  )
  leave(traces, 'bulk answers', await processed.text())
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
    ['erase', 'LEVANTE', 'A-0'],
  ]) {
    const { stdout, stderr } = await cliInProcess(args, environment)
    leave(traces, `command ${args[0]}`, stdout + stderr)
  }
  for (const args of [[], ['--json']]) {
    const { stdout, stderr } = await cliInProcess(
      ['import', file, '--team', 'North', '--url', server.address, ...args],
      { ...environment, ACCOUNT_IMPORT_API_KEY: apiKey },
    )
    t.regex(stdout + stderr, /invalid|failed/)
    leave(traces, 'command import', stdout + stderr)
  }
  for (const status of [200, 201, 400, 500, 503])
    t.true(statuses.has(status), `${status} in ${[...statuses].join()}`)
  t.true((traces.get('log') ?? '').split('\n').length > 150)
  t.deepEqual(found(traces, canaries), [])
  t.log(`${canaries.length} canaries, ${[...traces.keys()].join(', ')}`)

  log.info({ body: canaries.at(-5) }, 'a leak')
  t.deepEqual(found(traces, canaries), ['log'], 'a leak is found')
})
