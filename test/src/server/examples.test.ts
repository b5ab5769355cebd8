import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import { createClient } from '@account-import/client'
import { storeCases } from '@account-import/core/contract-tests'
import { freePort, mariaDbAvailable, startMariaDb } from '../servers/index.js'
import { cliInProcess } from '../support/cli-in-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { jsonCli } from './support/json-cli.js'

const execute = promisify(execFile)
const examples = new URL('../../../examples/', import.meta.url)
const inExamples = (path: string): string => fileURLToPath(new URL(path, examples))

test('embed-in-memory takes the sample through all four steps, without HTTP and without a database', async (t) => {
  const { stdout } = await execute(process.execPath, [inExamples('embed-in-memory/dist/main.js')])
  t.regex(stdout, /^validate true$/m)
  t.regex(stdout, /outcome: 'created'/)
  t.regex(stdout, /status: 'COMPLETED'/)
  t.notRegex(stdout, /ok: false/)
})

test('custom-store keeps all that stores promise, and what it answered outlives a restart', async (t) => {
  const contract = inExamples('custom-store/dist/contract.test.js')
  const { stdout } = await execute(process.execPath, ['--test', '--test-reporter=tap', contract])
  // Besides the cases: a restart, and a line that a crash cut off.
  t.regex(stdout, new RegExp(`^# pass ${storeCases.length + 2}$`, 'm'))
  t.regex(stdout, /^# fail 0$/m)
})

test('custom-vendor runs the published contract on a vendor of its own', async (t) => {
  const contract = inExamples('custom-vendor/dist/contract.test.js')
  const { stdout } = await execute(process.execPath, ['--test', '--test-reporter=tap', contract])
  t.regex(stdout, /^# pass 7$/m)
  t.regex(stdout, /^# fail 0$/m)
})

/** Starts an example that prints its address in its first line. */
const startWithSandboxAnd = async (t: ExecutionContext, dataDir: string): Promise<string> => {
  const child = spawn(process.execPath, [inExamples('custom-vendor/dist/main.js')], {
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  })
  return String(await once(child.stdout, 'data')).trim()
}

test('custom-vendor verifies payment instructions with its own vendor in the bundled server', async (t) => {
  const dataDir = await tempFolder(t)
  const run = jsonCli(t, cliInProcess, { DATA_DIR: dataDir })
  await run('organisation', 'create', 'ACME')
  await run('supplier', 'create', 'LEVANTE', '--organisation', 'ACME')
  await run('team', 'create', 'North')
  const { api_key: apiKey } = await run('api-key', 'create', '--organisation', 'ACME')
  const client = createClient({
    baseUrl: await startWithSandboxAnd(t, dataDir),
    apiKey: String(apiKey),
  })
  await client.stageAccount(JSON.parse(await readFile(inExamples('samples/gas-account.json'), 'utf8')))
  const account = { import_supplier_code: 'LEVANTE', external_account_number: 'LEV-G-000123' }
  await client.processAccount({ ...account, operations_team_name: 'North' })
  const add = (reference: string) =>
    client.addPaymentInstruction({
      import_supplier: 'LEVANTE',
      external_account_number: 'LEV-G-000123',
      vendor: 'GIRO',
      reference,
      type: 'DIRECT_DEBIT',
    })
  t.is((await add('G-1')).status, 201)
  t.like(await add('G-2'), { status: 400, problem: { code: 'payment_instruction_not_usable' } })
  t.like(await add('G-9'), { status: 400, problem: { code: 'payment_instruction_not_found' } })
  const shown = await run('account', 'show', 'LEVANTE', 'LEV-G-000123')
  const details = shown['details'] as Readonly<Record<string, unknown>>
  t.like(details['payment_instructions'], {
    length: 1,
    0: { reference: 'G-1', details: { method: 'giro', last4: '1332', country: 'ES', status: 'signed' } },
  })
  t.notRegex(JSON.stringify(shown), /ES9121000418450200051332/)
})

const startExample = async (t: ExecutionContext, databaseUrl: string): Promise<string> => {
  const port = await freePort()
  const child = spawn(process.execPath, [inExamples('embed-koa-mysql/dist/main.js')], {
    env: {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: databaseUrl,
      TOKEN_SIGNING_KEY: randomBytes(32).toString('base64'),
      PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  })
  await once(child.stdout, 'data')
  return `http://127.0.0.1:${port}`
}

if (mariaDbAvailable())
  test('embed-koa-mysql answers the import API under its prefix, beside its own page', async (t) => {
    const database = await startMariaDb()
    t.teardown(() => database.stop())
    const databaseUrl = await database.createDatabase()
    const address = await startExample(t, databaseUrl)
    t.is(await (await fetch(address)).text(), 'The platform that was here before')
    const docs = await fetch(`${address}/imports`)
    t.deepEqual([docs.status, docs.url], [200, `${address}/imports/docs/`])
    const { servers } = (await (await fetch(`${address}/imports/openapi.json`)).json()) as {
      servers: unknown
    }
    t.deepEqual(servers, [{ url: '/imports' }])
    const nothing = await fetch(`${address}/imports/nothing`)
    t.is(nothing.status, 404)
    t.truthy(nothing.headers.get('x-request-id'))

    const run = jsonCli(t, cliInProcess, { DATABASE_URL: databaseUrl })
    await run('organisation', 'create', 'ACME')
    await run('supplier', 'create', 'LEVANTE', '--organisation', 'ACME')
    await run('team', 'create', 'North')
    const { api_key: apiKey } = await run('api-key', 'create', '--organisation', 'ACME')

    const client = createClient({ baseUrl: `${address}/imports`, apiKey: String(apiKey) })
    const account = JSON.parse(await readFile(inExamples('samples/gas-account.json'), 'utf8'))
    t.is((await client.validateAccount(account)).status, 200)
    t.is((await client.stageAccount(account)).status, 201)
    const processed = await client.processAccount({
      import_supplier_code: 'LEVANTE',
      external_account_number: 'LEV-G-000123',
      operations_team_name: 'North',
    })
    t.is(processed.status, 201)
    const shown = await run('account', 'show', 'LEVANTE', 'LEV-G-000123')
    t.is(shown['operations_team'], 'North')
  })
