import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { connectSql } from '@account-import/adapter-sql'
import { createClient } from '@account-import/client'
import { bundledMarkets, instantOf, type Clock } from '@account-import/core'
import { documentsCases, paymentVendorsCases } from '@account-import/core/contract-tests'
import {
  createContainer,
  databaseId,
  openService,
  portIds,
  readConfig,
  useCasesId,
  type ServerConfig,
} from '@account-import/server'
import test, { type ExecutionContext } from 'ava'
import { ContainerModule } from 'inversify'
import { freePort, mariaDbAvailable, startMariaDb } from '../servers/index.js'
import { sample } from '../support/samples.js'
import { tempFolder } from '../support/temp-folder.js'
import { shell, type Shell } from './support/shell.js'

const config = async (t: ExecutionContext): Promise<ServerConfig> => {
  const read = readConfig({ DATABASE_URL: `sqlite:${join(await tempFolder(t), 'x.sqlite')}` }, 'operate')
  if (read._tag === 'Left') throw new Error('the configuration of the test is wrong')
  return { ...read.right, dataDir: await tempFolder(t) }
}

const stopped: Clock = { now: () => instantOf(Date.UTC(2031, 0, 1)) }

test('a module loaded after the bundled ones replaces a port, and the use cases use it', async (t) => {
  const stoppedClock = new ContainerModule(({ rebind }) => {
    rebind(portIds.clock).toConstantValue(stopped)
  })
  const service = await openService(await config(t), { modules: [stoppedClock] })
  t.teardown(() => service.close())
  const made = await service.useCases.operator.createOrganisation({ code: 'ACME' })
  t.deepEqual(made, {
    _tag: 'Right',
    right: { code: 'ACME', name: 'ACME', createdAt: instantOf(Date.UTC(2031, 0, 1)), disabledAt: undefined },
  })
})

test('an asynchronous module, or port, is refused at the start with the remedy', async (t) => {
  const modules = [
    new ContainerModule(async ({ rebind }) => {
      rebind(portIds.clock).toConstantValue(stopped)
    }),
    new ContainerModule(({ rebind }) => {
      rebind(portIds.clock).toDynamicValue(async () => stopped)
    }),
  ]
  for (const module of modules) {
    const refused = await t.throwsAsync(openService(await config(t), { modules: [module] }))
    t.like(refused, { name: 'StartError', code: 'module_not_usable' })
    t.regex(refused?.message ?? '', /asynchronous\. Await the value before .* bind it by toConstantValue/)
  }
})

test('unbinding the container closes the database, and the container has one use cases object', async (t) => {
  const container = createContainer(await config(t), undefined)
  t.is(container.get(useCasesId), container.get(useCasesId))
  const database = container.get(databaseId)
  t.deepEqual(await database.raw('select 1 as one'), [{ one: 1 }])
  await container.unbindAllAsync()
  await t.throwsAsync(() => database.raw('select 1 as one'), { any: true })
})

test('a container without a signing key makes no token, so operator commands cannot issue one', async (t) => {
  const service = await openService(await config(t))
  t.teardown(() => service.close())
  const { operator, obtainToken } = service.useCases
  await operator.createOrganisation({ code: 'ACME' })
  const made = await operator.createApiKey({ organisation: 'ACME' })
  const apiKey = made._tag === 'Right' ? made.right.apiKey : ''
  const obtained = await obtainToken({ credentials: { apiKey }, address: '127.0.0.1' })
  t.like(obtained, { _tag: 'Left', left: { _tag: 'PortFailure', port: 'accessTokens', operation: 'sign' } })
})

test('the settings of the use cases come from the configuration', async (t) => {
  const container = createContainer(
    {
      ...(await config(t)),
      timeZone: 'America/Lima',
      processingConcurrencyLimit: 3,
      mailAttempts: 5,
      mailRetrySeconds: 7,
      mailTimeoutSeconds: 9,
    },
    undefined,
  )
  t.teardown(() => container.unbindAllAsync())
  t.deepEqual(container.get(portIds.settings), {
    timeZone: 'America/Lima',
    defaultCountry: 'ES',
    processingClaimSeconds: 60,
    processingConcurrencyLimit: 3,
    emails: { maxAttempts: 5, firstRetrySeconds: 7, sendSeconds: 9 },
    markets: bundledMarkets,
  })
})

test('work that the database asks to repeat is logged, and succeeds later', async (t) => {
  const used = await config(t)
  const told: string[] = []
  const service = await openService(used, {
    onRetry: ({ reason, attempt }) => told.push(`${reason} ${attempt}`),
  })
  t.teardown(() => service.close())
  const otherProcess = connectSql(used.database.url)
  t.teardown(() => otherProcess.destroy())
  const writing = await otherProcess.transaction()
  await writing('operations_teams').insert({ name: 'another' })
  const creating = service.useCases.operator.createTeam('ours')
  await setTimeout(300)
  await writing.commit()
  t.deepEqual(await creating, { _tag: 'Right', right: { name: 'ours' } })
  t.is(told[0], 'busy 1')
})

const execute = promisify(execFile)
const inExamples = (path: string): string =>
  fileURLToPath(new URL(`../../../examples/${path}`, import.meta.url))

test.serial('embed-in-memory takes the sample through all steps without HTTP and database', async (t) => {
  const { stdout } = await execute(process.execPath, [inExamples('embed-in-memory/dist/main.js')])
  t.regex(stdout, /^validate true$/m)
  t.regex(stdout, /outcome: 'created'/)
  t.regex(stdout, /status: 'COMPLETED'/)
  t.notRegex(stdout, /ok: false/)
})

test.serial(
  'custom-store refuses paths that its register lacks, and stages them when it has them',
  async (t) => {
    const { stdout } = await execute(process.execPath, [inExamples('custom-store/dist/main.js')])
    t.deepEqual(stdout.trim().split('\n'), [
      'refused: path_does_not_exist_in_file_store notes.1.document_paths.0.document_path',
      'refused: path_does_not_exist_in_file_store statements.0.statement_path',
      'refused: path_does_not_exist_in_file_store statements.1.statement_path',
      'staged: created',
    ])
  },
)

for (const [example, title, cases] of [
  // Besides the cases: a restart, changes at the same time, a cut line, a damaged line, an impossible key, a closed register.
  [
    'custom-store',
    'runs the published contract on documents of its own, which outlive a restart',
    documentsCases.length + 6,
  ],
  // Besides the cases: a member that is refused.
  ['custom-vendor', 'runs the published contract on a vendor of its own', paymentVendorsCases.length + 1],
] as const)
  test.serial(`${example} ${title}`, async (t) => {
    const contract = inExamples(`${example}/dist/contract.test.js`)
    const { stdout } = await execute(process.execPath, ['--test-reporter=tap', contract])
    t.regex(stdout, new RegExp(`^# pass ${cases}$`, 'm'))
    t.regex(stdout, /^# fail 0$/m)
  })

/** Starts an example that serves; returns its first output. */
const startExample = async (
  t: ExecutionContext,
  example: string,
  environment: Readonly<Record<string, string>>,
): Promise<string> => {
  const child = spawn(process.execPath, [inExamples(`${example}/dist/main.js`)], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  })
  return String(await once(child.stdout, 'data')).trim()
}

const number = 'LEV-G-000123'
const request = {
  import_supplier_code: 'LEVANTE',
  external_account_number: number,
  operations_team_name: 'North',
}

/** Creates everything that an account needs; returns the key of a client. */
const keyOn = async ({ json }: Shell): Promise<string> => {
  for (const line of ['organisation create ACME', 'supplier create LEVANTE --organisation ACME'])
    await json(line)
  await json('team create North')
  return String((await json('api-key create --organisation ACME'))['api_key'])
}

test.serial('custom-vendor verifies payment instructions in the bundled server', async (t) => {
  const commands = await shell(t)
  const apiKey = await keyOn(commands)
  const environment = { ...commands.environment, PORT: '0', LOG_LEVEL: 'silent' }
  const client = createClient({ baseUrl: await startExample(t, 'custom-vendor', environment), apiKey })
  await client.stageAccount(sample('gas-account.json'))
  await client.processAccount(request)
  const add = (reference: string) =>
    client.addPaymentInstruction({
      import_supplier: 'LEVANTE',
      external_account_number: number,
      vendor: 'GIRO',
      reference,
      type: 'DIRECT_DEBIT',
    })
  t.is((await add('G-1')).status, 201)
  t.like(await add('G-2'), { status: 400, problem: { code: 'payment_instruction_not_usable' } })
  t.like(await add('G-9'), { status: 400, problem: { code: 'payment_instruction_not_found' } })
  const shown = await commands.json(`account show LEVANTE ${number}`)
  const details = shown['details'] as Readonly<Record<string, unknown>>
  t.like(details['payment_instructions'], {
    length: 1,
    0: { reference: 'G-1', details: { method: 'giro', last4: '1332', country: 'ES', status: 'signed' } },
  })
  t.notRegex(JSON.stringify(shown), /ES9121000418450200051332/)
})

if (mariaDbAvailable())
  test.serial('embed-koa-mysql serves the import API under its prefix, beside its own page', async (t) => {
    const database = await startMariaDb()
    t.teardown(() => database.stop())
    const [DATABASE_URL, PORT] = [await database.createDatabase(), String(await freePort())]
    const TOKEN_SIGNING_KEY = randomBytes(32).toString('base64')
    await startExample(t, 'embed-koa-mysql', { DATABASE_URL, TOKEN_SIGNING_KEY, PORT })
    const address = `http://127.0.0.1:${PORT}`
    t.is(await (await fetch(address)).text(), 'The platform that was here before')
    const docs = await fetch(`${address}/imports`)
    t.deepEqual([docs.status, docs.url], [200, `${address}/imports/`])
    const openapi = (await (await fetch(`${address}/imports/openapi.json`)).json()) as { servers: unknown }
    t.deepEqual(openapi.servers, [{ url: '/imports' }])
    const nothing = await fetch(`${address}/imports/nothing`)
    t.is(nothing.status, 404)
    t.truthy(nothing.headers.get('x-request-id'))

    const commands = await shell(t, { DATABASE_URL })
    const client = createClient({ baseUrl: `${address}/imports`, apiKey: await keyOn(commands) })
    const account = sample('gas-account.json')
    t.is((await client.validateAccount(account)).status, 200)
    t.is((await client.stageAccount(account)).status, 201)
    t.is((await client.processAccount(request)).status, 201)
    const shown = await commands.json(`account show LEVANTE ${number}`)
    t.is(shown['operations_team'], 'North')
  })
