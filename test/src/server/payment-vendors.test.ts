import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@account-import/client'
import type { OnVendorAsked } from '@account-import/adapter-payment-vendor'
import type { PaymentVendors } from '@account-import/core'
import { createContainer, portIds, readConfig } from '@account-import/server'
import test, { type ExecutionContext } from 'ava'
import { textOf } from '../support/repository.js'
import { gasAccount } from '../support/samples.js'
import { setUp } from '../support/set-up.js'
import { tempFolder } from '../support/temp-folder.js'
import { httpJsonKind, paymentMethod } from '../vendors/support/vendor-kinds.js'
import { startVendorServer, type VendorServer } from '../vendors/support/vendor-server.js'
import { started } from './support/started.js'

type Asked = Parameters<OnVendorAsked>[0]

const sandbox = { code: 'SANDBOX', kind: 'sandbox' }
const stripe = { code: 'STRIPE', kind: 'stripe', secret_key_env: 'STRIPE_KEY' }
/** Entries of a configuration file for vendors at this origin: `STRIPE`, and `ACME` with plain HTTP and JSON. */
const entriesAt = (origin: string) => ({
  STRIPE: { code: 'STRIPE', kind: 'stripe', secret_key_env: 'STRIPE_KEY', base_url: origin },
  ACME: {
    code: 'ACME',
    kind: 'http-json',
    url: `${origin}/{reference}`,
    headers_env: { Authorization: 'ACME_AUTH' },
    usable: { path: 'status', in: ['active'] },
    details: { brand: 'card.brand', last4: 'card.last4', expiry: 'card.expiry' },
    allow_private_address: true,
  },
})

const httpJson = entriesAt('https://vendor.example').ACME

/** The vendors of a file, or its faults. */
const readFrom = async (t: ExecutionContext, content: string): Promise<unknown> => {
  const path = join(await tempFolder(t), 'vendors.json')
  await writeFile(path, content)
  const read = readConfig({ PAYMENT_VENDORS: path }, 'operate')
  if (read._tag === 'Right') return read.right.paymentVendors
  t.deepEqual(
    read.left.map(({ variable }) => variable),
    ['PAYMENT_VENDORS'],
  )
  return read.left[0]?.detail
}

test('vendors of every kind, with every rule, are read from a file', async (t) => {
  const vendors = [
    sandbox,
    stripe,
    { ...stripe, code: 'S2', base_url: 'http://127.0.0.1:1' },
    httpJson,
    {
      ...httpJson,
      code: 'EVERY',
      url: 'https://vendor.example/{reference}?type={type}',
      not_found: { path: '/error/code', in: ['unknown'] },
      type: { path: 'card.kind', of: { CARD: ['card'] } },
      reference: '/data/0/a~1b',
      reference_pattern: '[A-Z]{2}\\d{4}|x',
      details: {
        expiry_month: 'm',
        expiry_year: 'y',
        method: 'a',
        country: 'b',
        customer_id: 'c',
        mandate_id: 'd',
        status: 'e',
      },
    },
  ]
  t.deepEqual(await readFrom(t, JSON.stringify({ vendors })), vendors)
})

test('the vendors file in the documentation is read unchanged', async (t) => {
  const page = textOf('docs/how-to/connect-a-payment-vendor.md')
  const shown = /```json vendors\n(.*?)```/s.exec(page)?.[1] ?? ''
  const { vendors } = JSON.parse(shown) as { vendors: unknown[] }
  t.is(vendors.length, 3)
  t.deepEqual(await readFrom(t, shown), vendors)
})

const badUrls = [
  'ftp://x/{reference}',
  'https://{reference}.example/',
  'https://user:canary@vendor.example/{reference}',
]
const privateOrigins = [
  'http://vendor.example',
  'https://127.0.0.1',
  'https://[::1]',
  'https://localhost',
  'https://10.1.2.3:8443',
]
const origin = 'https://vendor.example'

/** One vendor with one fault each, and the message. */
const faulty: readonly (readonly [vendor: unknown, problem: RegExp])[] = [
  ['SANDBOX', /must contain \{"vendors"/],
  [{ code: 'X', kind: 'paypal' }, /vendors\.0\.kind must be one of sandbox, stripe/],
  [{ kind: 'sandbox' }, /vendors\.0\.code must be a code/],
  ...badUrls.map((url) => [{ ...httpJson, url }, /vendors\.0\.url must be an address/] as const),
  ...privateOrigins.map((name) => {
    const vendor = { ...httpJson, url: `${name}/{reference}`, allow_private_address: false }
    return [vendor, /vendors\.0\.allow_private_address must be true/] as const
  }),
  [{ ...stripe, secret_key_env: 'sk-canary' }, /vendors\.0\.secret_key_env must be the name of/],
  [{ ...stripe, base_url: 'http://vendor.example' }, /vendors\.0\.base_url must be an address https/],
  [{ ...stripe, base_url: `${origin}/v1` }, /vendors\.0\.base_url must be an address .* without a path/],
  [{ ...httpJson, url: 'https://x/' }, /contains \{reference\}/],
  [{ ...httpJson, url: `${origin}/#{reference}` }, /contains \{reference\} in its path or query/],
  [{ ...httpJson, usable: { path: '/a//b', in: ['x'] } }, /vendors\.0\.usable\.path must be a path such as/],
  [
    { ...httpJson, headers_env: { Host: 'AUTH' } },
    /vendors\.0\.headers_env must be headers other than .*host/,
  ],
  [{ ...httpJson, detials: { brand: 'canary' } }, /vendors\.0 may have only code, kind, url, usable/],
  [{ ...httpJson, details: { cvc: 'card.cvc' } }, /vendors\.0\.details may have only brand, last4/],
  [{ ...httpJson, details: { brand: 'a..b' } }, /vendors\.0\.details\.brand must be a path/],
  [{ ...httpJson, usable: { path: 'a', in: [] } }, /vendors\.0\.usable\.in must be a list of at least one/],
  [{ ...httpJson, usable: { path: 'a', in: [1] } }, /vendors\.0\.usable\.in\.0 must be string/],
  [{ ...httpJson, reference_pattern: '(canary' }, /vendors\.0\.reference_pattern must be a regular exp/],
]

test('a faulty vendors file is refused with the place, without its values', async (t) => {
  for (const [vendor, problem] of faulty) {
    const said = String(await readFrom(t, JSON.stringify({ vendors: [vendor] })))
    t.regex(said, problem)
    t.notRegex(said, /canary/, said)
  }
  for (const [content, problem] of [
    ['{"vendors": [', /is no JSON/],
    ['{"vendor": []}', /must contain \{"vendors"/],
    ['{"vendors": []}', /at least one/],
    [JSON.stringify({ vendors: [sandbox, sandbox] }), /vendors\.1\.code is taken/],
    [JSON.stringify({ vendors: [sandbox, { kind: 'sandbox' }] }), /vendors\.1\.code must be a code/],
  ] as const)
    t.regex(String(await readFrom(t, content)), problem)
})

test('all faults of a vendors file are reported at once', async (t) => {
  const vendors = [
    { code: 'A B', kind: 'stripe', secret_key_env: 'sk-canary', base_url: 'canary' },
    { kind: 'paypal' },
    sandbox,
    { ...httpJson, code: 'SANDBOX', usable: { path: '', in: [1, 2] } },
  ]
  const said = String(await readFrom(t, JSON.stringify({ vendors })))
  const places =
    '0.code 0.secret_key_env 0.base_url 1.kind 3.usable.path 3.usable.in.0 3.usable.in.1 3.code is taken'
  for (const place of places.split(/ (?!is|taken)/)) t.true(said.includes(`vendors.${place}`), place)
  t.notRegex(said, /canary/)
})

/** The faults of a server's configuration with these vendors, by variable. */
const vendorFaults = async (t: ExecutionContext, environment: Readonly<Record<string, string>>) => {
  const path = join(await tempFolder(t), 'vendors.json')
  const vendors = [
    sandbox,
    stripe,
    { ...httpJson, headers_env: { Authorization: 'ACME_AUTH', 'X-Id': 'ACME_ID' } },
  ]
  await writeFile(path, JSON.stringify({ vendors }))
  const read = readConfig({ PAYMENT_VENDORS: path, ...environment }, 'serve')
  return read._tag === 'Left'
    ? read.left.map(({ variable, detail }) => `${variable} ${detail}`)
    : read.right.paymentVendorSecrets
}

test('variables that vendors need are read, and a server does not start without them', async (t) => {
  t.deepEqual(
    await vendorFaults(t, { STRIPE_KEY: 'rk_test_1', ACME_AUTH: 'Bearer x', ACME_ID: 'y', OTHER: 'z' }),
    new Map([
      ['STRIPE_KEY', 'rk_test_1'],
      ['ACME_AUTH', 'Bearer x'],
      ['ACME_ID', 'y'],
    ]),
  )
  t.deepEqual(await vendorFaults(t, { ACME_AUTH: ' ', ACME_ID: 'y' }), [
    'STRIPE_KEY is not set, and the payment vendor STRIPE needs it',
    'ACME_AUTH is not set, and the payment vendor ACME needs it',
  ])
  t.deepEqual(await vendorFaults(t, { STRIPE_KEY: 'pk_live_canary', ACME_AUTH: 'canary\nx', ACME_ID: 'y' }), [
    'STRIPE_KEY must be a secret key, best a restricted one, that begins with rk_, and the payment vendor STRIPE needs it',
    'ACME_AUTH has characters that cannot be sent in a header, and the payment vendor ACME needs it',
  ])
})

const vendorKeys = { STRIPE_KEY: 'rk_test_canary', ACME_AUTH: 'Bearer canary' }

/** The port as the server binds it to these entries of a file, and its log events. */
const configured = async (
  t: ExecutionContext,
  vendors: readonly object[],
  environment: Readonly<Record<string, string>> = vendorKeys,
): Promise<Readonly<{ vendors: PaymentVendors; asked: readonly Asked[] }>> => {
  const folder = await tempFolder(t)
  const path = join(folder, 'vendors.json')
  await writeFile(path, JSON.stringify({ vendors }))
  const read = readConfig({ DATA_DIR: folder, PAYMENT_VENDORS: path, ...environment }, 'operate')
  if (read._tag === 'Left') throw new Error(JSON.stringify(read.left))
  const asked: Asked[] = []
  const container = createContainer(read.right, undefined, { onVendorAsked: (one) => asked.push(one) })
  t.teardown(() => container.unbindAllAsync())
  return { vendors: container.get(portIds.paymentVendors), asked }
}

const vendorServer = async (t: ExecutionContext): Promise<VendorServer> => {
  const server = await startVendorServer((_nth, { url = '' }, response) => {
    if (url.endsWith('/broken')) response.writeHead(503).end()
    else response.end(JSON.stringify(url.startsWith('/v1/') ? paymentMethod : httpJsonKind.good))
  })
  t.teardown(() => server.stop())
  return server
}

const bound = (
  t: ExecutionContext,
  origin: string,
  environment: Readonly<Record<string, string>> = vendorKeys,
) => configured(t, [{ code: 'SANDBOX', kind: 'sandbox' }, ...Object.values(entriesAt(origin))], environment)

const verify = async (vendors: PaymentVendors, vendor: string, reference: string) =>
  vendors.verify({ organisation: 'LLUM', vendor, reference, type: 'CARD' })

test.serial('vendors are called with their credentials, and log events of calls have none', async (t) => {
  const server = await vendorServer(t)
  const { vendors, asked } = await bound(t, server.origin)
  t.like(await verify(vendors, 'SANDBOX', 'pm_1'), { right: { details: { brand: 'SANDBOX' } } })
  t.like(await verify(vendors, 'STRIPE', 'pm_1'), { right: { details: { customerId: 'cus_1' } } })
  t.deepEqual(await verify(vendors, 'ACME', 'canary-1'), {
    _tag: 'Right',
    right: { _tag: 'verified', details: { brand: 'visa', last4: '4242', expiry: '2099-12' } },
  })
  t.like(await verify(vendors, 'ACME', 'broken'), { right: { _tag: 'unavailable' } })
  t.false(vendors.isRegistered('OTHER', 'ACME'))
  t.deepEqual(server.headers.map(({ authorization }) => authorization).slice(0, 2), [
    'Bearer rk_test_canary',
    'Bearer canary',
  ])
  t.deepEqual(
    asked.map(({ vendor, outcome, tries, failure }) => [vendor, outcome, tries, failure]),
    [
      ['SANDBOX', 'verified', 1, undefined],
      ['STRIPE', 'verified', 1, undefined],
      ['ACME', 'verified', 1, undefined],
      ['ACME', 'unavailable', 3, 'status'],
    ],
  )
  t.notRegex(JSON.stringify(asked), /canary|visa|4242|cus_1/)
})

test.serial(
  'operator commands need no credentials of vendors, and a call without them is a failure that names the variable',
  async (t) => {
    const server = await vendorServer(t)
    const { vendors } = await bound(t, server.origin, {})
    t.true(vendors.isRegistered('STRIPE', 'ACME'))
    const answer = await verify(vendors, 'STRIPE', 'pm_1')
    t.like(answer, { _tag: 'Left', left: { kind: 'unexpected', port: 'paymentVendors' } })
    t.regex(answer._tag === 'Left' ? String(answer.left.cause) : '', /STRIPE_KEY is not set/)
    t.deepEqual(server.requests, [])
  },
)

const strange = ['a/../../admin/users?x=1#', '../../internal', 'x'.repeat(300)]

test.serial(
  'a reference that matches no configured vendor is not sent, and its form is known without credentials',
  async (t) => {
    const server = await vendorServer(t)
    const { ACME, STRIPE } = entriesAt(server.origin)
    const bounded = { ...ACME, code: 'BOUNDED', reference_pattern: 'tok_[a-z0-9]{8}' }
    const { vendors, asked } = await configured(t, [ACME, STRIPE, bounded], {})
    for (const vendor of ['ACME', 'STRIPE', 'BOUNDED'])
      for (const reference of [...strange, 'tok_1234567/']) {
        t.false(vendors.takesReference(vendor, reference), `${vendor} ${reference}`)
        t.like(await verify(vendors, vendor, reference), { right: { _tag: 'not_found' } })
      }
    t.true(vendors.takesReference('BOUNDED', 'tok_12345678'))
    t.true(vendors.takesReference('STRIPE', 'pm_1'))
    t.deepEqual([server.requests, asked], [[], []])
  },
)

/** A file that names one vendor at this origin. */
const vendorsFile = async (folder: string, origin: string): Promise<string> => {
  const path = join(folder, 'vendors.json')
  await writeFile(
    path,
    JSON.stringify({ vendors: [{ ...httpJson, url: `${origin}/canary-path/{reference}` }] }),
  )
  return path
}

test('the log has each call of a vendor, and neither log nor responses contain secrets, addresses or its response', async (t) => {
  const vendor = await startVendorServer((_nth, { url = '' }, response) => {
    if (url.endsWith('broken')) response.writeHead(503, { 'retry-after': '9' }).end('canary-answer')
    else response.end(JSON.stringify(httpJsonKind.good))
  })
  t.teardown(() => vendor.stop())
  const { address, entries, useCases } = await started(t, {
    PAYMENT_VENDORS: await vendorsFile(await tempFolder(t), vendor.origin),
    ACME_AUTH: 'Bearer canary-secret',
  })
  const { supplier, team, apiKey } = await setUp(useCases.operator)
  const client = createClient({ baseUrl: address, apiKey })
  const account = { external_account_number: 'A-1', import_supplier_code: supplier }
  await client.stageAccount(gasAccount(supplier, 'A-1'))
  await client.processAccount({ ...account, operations_team_name: team })
  const add = (reference: string, code = 'ACME') =>
    client.addPaymentInstruction({
      import_supplier: supplier,
      external_account_number: 'A-1',
      vendor: code,
      reference,
      type: 'CARD',
    })
  const answers = [await add('canary-reference'), await add('broken'), await add('x', 'SANDBOX')]
  // Each would make this vendor fail, and as many failures would open its breaker.
  for (const form of ['a/../../admin/users?x=1#', '../../internal', 'x'.repeat(300), 'a/b/broken'])
    for (let n = 0; n < 4; n += 1) answers.push(await add(form))
  for (const refused of answers.slice(3))
    t.like(refused, { status: 400, problem: { errors: [{ code: 'invalid', attr: 'reference' }] } })
  t.like(await add('canary-other'), { status: 201 })
  t.like(answers[0], { status: 201 })
  t.like(answers[1], { status: 500, problem: { code: 'payment_vendor_unavailable' } })
  t.like(answers[2], { status: 400, problem: { errors: [{ code: 'payment_vendor_not_registered' }] } })
  t.is(vendor.headers[0]?.authorization, 'Bearer canary-secret')
  const calls = entries.filter(({ event }) => event === 'payment_vendor')
  t.is(calls.length, 3)
  t.like(calls[0], { level: 30, vendor: 'ACME', outcome: 'verified', tries: 1 })
  t.like(calls[1], { level: 40, vendor: 'ACME', outcome: 'unavailable', tries: 1, fault: 'status' })
  t.notRegex(JSON.stringify(entries), /canary|4242|visa|broken/)
  t.notRegex(JSON.stringify(answers), /canary-secret|canary-answer|canary-path|4242/)
})

test('the log warns about a Stripe key with all rights', async (t) => {
  const path = join(await tempFolder(t), 'vendors.json')
  const ofStripe = (code: string) => ({ code, kind: 'stripe', secret_key_env: `${code}_KEY` })
  await writeFile(path, JSON.stringify({ vendors: [sandbox, ofStripe('BROAD'), ofStripe('NARROW')] }))
  const keys = { BROAD_KEY: 'sk_live_canary', NARROW_KEY: 'rk_live_canary' }
  const { entries } = await started(t, { PAYMENT_VENDORS: path, ...keys })
  t.notRegex(JSON.stringify(entries), /canary/)
  t.deepEqual(
    entries.flatMap(({ event, vendor }) => (event === 'payment_vendor_setting' ? [vendor] : [])),
    ['BROAD'],
  )
})
