import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { createClient, type Client } from '@account-import/client'
import { gasAccount } from '../support/samples.js'
import { httpJsonKind } from '../vendors/support/vendor-kinds.js'
import { startVendorServer } from '../vendors/support/vendor-server.js'
import { cliInProcess } from '../support/cli-in-process.js'
import { serveProcess } from '../support/serve-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { jsonCli } from './support/json-cli.js'

/** A file that names one vendor at this origin. */
const vendorsFile = async (folder: string, origin: string): Promise<string> => {
  const acme = {
    code: 'ACME',
    kind: 'http-json',
    url: `${origin}/canary-path/{reference}`,
    headers_env: { Authorization: 'ACME_AUTH' },
    usable: { path: 'status', in: ['active'] },
    details: { brand: 'card.brand', last4: 'card.last4' },
    allow_private_address: true,
  }
  const path = join(folder, 'vendors.json')
  await writeFile(path, JSON.stringify({ vendors: [acme] }))
  return path
}

const setUp = async (t: ExecutionContext, dataDir: string): Promise<string> => {
  const run = jsonCli(t, cliInProcess, { DATA_DIR: dataDir })
  await run('organisation', 'create', 'ACME')
  await run('supplier', 'create', 'S1', '--organisation', 'ACME')
  await run('team', 'create', 'North')
  const { api_key } = await run('api-key', 'create', '--organisation', 'ACME')
  return String(api_key)
}

const createAccount = async (client: Client): Promise<void> => {
  await client.stageAccount(gasAccount('S1', 'A-1'))
  const account = { import_supplier_code: 'S1', external_account_number: 'A-1' }
  await client.processAccount({ ...account, operations_team_name: 'North' })
}

const add = (client: Client, reference: string, vendor = 'ACME') =>
  client.addPaymentInstruction({
    import_supplier: 'S1',
    external_account_number: 'A-1',
    vendor,
    reference,
    type: 'CARD',
  })

test('the log tells each call of a vendor, and neither log nor answers hold secrets, addresses or what it said', async (t) => {
  const vendor = await startVendorServer((_nth, { url = '' }, response) => {
    if (url.endsWith('broken')) response.writeHead(503, { 'retry-after': '9' }).end('canary-answer')
    else response.end(JSON.stringify(httpJsonKind.good))
  })
  t.teardown(() => vendor.stop())
  const dataDir = await tempFolder(t)
  const apiKey = await setUp(t, dataDir)
  const environment = {
    DATA_DIR: dataDir,
    PAYMENT_VENDORS: await vendorsFile(dataDir, vendor.origin),
    ACME_AUTH: 'Bearer canary-secret',
  }
  const { address, child, ended } = await serveProcess(t, environment)
  const client = createClient({ baseUrl: address, apiKey })
  await createAccount(client)
  const answers = [
    await add(client, 'canary-reference'),
    await add(client, 'broken'),
    await add(client, 'x', 'SANDBOX'),
  ]
  // Each would make this vendor fail, and as many failures would open its breaker.
  for (const form of ['a/../../admin/users?x=1#', '../../internal', 'x'.repeat(300), 'a/b/broken'])
    for (let n = 0; n < 4; n += 1) answers.push(await add(client, form))
  for (const refused of answers.slice(3))
    t.like(refused, { status: 400, problem: { errors: [{ code: 'invalid', attr: 'reference' }] } })
  t.like(await add(client, 'canary-other'), { status: 201 })
  t.like(answers[0], { status: 201 })
  t.like(answers[1], { status: 500, problem: { code: 'payment_vendor_unavailable' } })
  t.like(answers[2], { status: 400, problem: { errors: [{ code: 'payment_vendor_not_registered' }] } })
  t.is(vendor.headers[0]?.authorization, 'Bearer canary-secret')
  child.kill('SIGTERM')
  const { stderr } = await ended
  const entries = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ event }) => event === 'payment_vendor')
  t.is(entries.length, 3)
  t.like(entries[0], { level: 30, vendor: 'ACME', outcome: 'verified', tries: 1 })
  t.like(entries[1], { level: 40, vendor: 'ACME', outcome: 'unavailable', tries: 1, fault: 'status' })
  t.notRegex(stderr, /canary|4242|visa|broken/)
  t.notRegex(JSON.stringify(answers), /canary-secret|canary-answer|canary-path|4242/)
})

test('the log warns of the sandbox in production, and of a key of Stripe that may do everything', async (t) => {
  const dataDir = await tempFolder(t)
  const path = join(dataDir, 'vendors.json')
  const stripe = (code: string, secret_key_env: string) => ({ code, kind: 'stripe', secret_key_env })
  const vendors = [
    { code: 'SANDBOX', kind: 'sandbox' },
    stripe('BROAD', 'BROAD_KEY'),
    stripe('NARROW', 'NARROW_KEY'),
  ]
  await writeFile(path, JSON.stringify({ vendors }))
  const keys = { BROAD_KEY: 'sk_live_canary', NARROW_KEY: 'rk_live_canary' }
  const warned = async (): Promise<readonly unknown[]> => {
    const environment = { DATA_DIR: dataDir, PAYMENT_VENDORS: path, ...keys }
    const { child, ended } = await serveProcess(t, environment)
    child.kill('SIGTERM')
    const { stderr } = await ended
    t.false(stderr.includes('canary'))
    const entries = stderr.trim().split('\n')
    return entries
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .flatMap(({ event, vendor }) => (event === 'payment_vendor_setting' ? [vendor] : []))
  }
  t.deepEqual(await warned(), ['BROAD'])
})

test('serve does not start while a vendor lacks what it needs, and says all of it without quoting anything', async (t) => {
  const dataDir = await tempFolder(t)
  const path = await vendorsFile(dataDir, 'http://127.0.0.1:1')
  const { code, stdout, stderr } = await cliInProcess(['serve', '--json'], {
    DATA_DIR: dataDir,
    PAYMENT_VENDORS: path,
    PORT: 'x',
  })
  t.is(code, 2)
  t.regex(stdout + stderr, /ACME_AUTH/)
  t.regex(stdout + stderr, /PORT/)
  t.false((stdout + stderr).includes('canary'))
  t.true((await readFile(path, 'utf8')).includes('canary'))
})
