import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { readConfig } from '@account-import/server'
import { textOf } from '../support/repository.js'
import { tempFolder } from '../support/temp-folder.js'

const sandbox = { code: 'SANDBOX', kind: 'sandbox' }
const stripe = { code: 'STRIPE', kind: 'stripe', secret_key_env: 'STRIPE_KEY' }
const httpJson = {
  code: 'ACME',
  kind: 'http-json',
  url: 'https://vendor.example/{reference}?type={type}',
  headers_env: { Authorization: 'ACME_AUTH' },
  usable: { path: 'status', in: ['active'] },
  details: { brand: 'card.brand', last4: 'card.last4', expiry: 'card.expiry' },
  allow_private_address: true,
}

/** The vendors as read, or what is wrong with them. */
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

test('vendors of every kind are read from a file', async (t) => {
  const vendors = [sandbox, stripe, { ...stripe, code: 'S2', base_url: 'http://127.0.0.1:1' }, httpJson]
  t.deepEqual(await readFrom(t, JSON.stringify({ vendors })), vendors)
})

test('the file that the documentation shows is read as it stands', async (t) => {
  const page = textOf('docs/how-to/connect-a-payment-vendor.md')
  const shown = /```json vendors\n(.*?)```/s.exec(page)?.[1] ?? ''
  const { vendors } = JSON.parse(shown) as { vendors: unknown[] }
  t.is(vendors.length, 3)
  t.deepEqual(await readFrom(t, shown), vendors)
})

const faulty: readonly (readonly [title: string, content: unknown, problem: RegExp])[] = [
  ['no list', { vendor: [] }, /must hold \{"vendors"/],
  ['an empty list', { vendors: [] }, /at least one/],
  ['an entry that is no object', { vendors: ['SANDBOX'] }, /must hold \{"vendors"/],
  [
    'an unknown kind',
    { vendors: [{ code: 'X', kind: 'paypal' }] },
    /vendors\.0\.kind must be one of sandbox, stripe/,
  ],
  ['a missing code', { vendors: [sandbox, { kind: 'sandbox' }] }, /vendors\.1\.code must be a code/],
  ['a code twice', { vendors: [sandbox, sandbox] }, /vendors\.1\.code is taken/],
  [
    'a secret in place of its variable',
    { vendors: [{ ...stripe, secret_key_env: 'sk-canary' }] },
    /vendors\.0\.secret_key_env must be the name of/,
  ],
  [
    'an address that is none',
    { vendors: [{ ...httpJson, url: 'ftp://x/{reference}' }] },
    /vendors\.0\.url must be an address/,
  ],
  [
    'an address whose host the reference chooses',
    { vendors: [{ ...httpJson, url: 'https://{reference}.example/' }] },
    /vendors\.0\.url must be an address/,
  ],
  [
    'an address with a password',
    { vendors: [{ ...httpJson, url: 'https://user:canary@vendor.example/{reference}' }] },
    /vendors\.0\.url must be an address/,
  ],
  [
    'the reference in the fragment',
    { vendors: [{ ...httpJson, url: 'https://vendor.example/#{reference}' }] },
    /holds \{reference\} in its path or query/,
  ],
  ...[
    'http://vendor.example',
    'https://127.0.0.1',
    'https://[::1]',
    'https://localhost',
    'https://10.1.2.3:8443',
  ].map(
    (origin) =>
      [
        `an address that is not meant to be private: ${origin}`,
        { vendors: [{ ...httpJson, url: `${origin}/{reference}`, allow_private_address: false }] },
        /vendors\.0\.allow_private_address must be true/,
      ] as const,
  ),
  [
    'Stripe in the clear',
    { vendors: [{ ...stripe, base_url: 'http://vendor.example' }] },
    /vendors\.0\.base_url must be an address https/,
  ],
  [
    'Stripe under a path',
    { vendors: [{ ...stripe, base_url: 'https://vendor.example/v1' }] },
    /vendors\.0\.base_url must be an address .* without a path/,
  ],
  [
    'a pointer that is none',
    { vendors: [{ ...httpJson, usable: { path: '/a//b', in: ['x'] } }] },
    /vendors\.0\.usable\.path must be a path such as/,
  ],
  [
    'a header that belongs to the connection',
    { vendors: [{ ...httpJson, headers_env: { Host: 'ACME_AUTH' } }] },
    /vendors\.0\.headers_env must be headers other than .*host/,
  ],
  [
    'a key that nobody reads',
    { vendors: [{ ...httpJson, detials: { brand: 'canary' } }] },
    /vendors\.0 may have only code, kind, url, usable/,
  ],
  [
    'a detail that is not kept',
    { vendors: [{ ...httpJson, details: { cvc: 'card.cvc' } }] },
    /vendors\.0\.details may have only brand, last4/,
  ],
  [
    'an address without the reference',
    { vendors: [{ ...httpJson, url: 'https://x/' }] },
    /holds \{reference\}/,
  ],
  [
    'a path of details that is none',
    { vendors: [{ ...httpJson, details: { brand: 'a..b' } }] },
    /vendors\.0\.details\.brand must be a path/,
  ],
  [
    'a rule that nothing could meet',
    { vendors: [{ ...httpJson, usable: { path: 'a', in: [] } }] },
    /vendors\.0\.usable\.in must be a list of at least one text/,
  ],
  [
    'a pattern that is none',
    { vendors: [{ ...httpJson, reference_pattern: '(canary' }] },
    /vendors\.0\.reference_pattern must be a regular expression/,
  ],
  [
    'a member that is no text',
    { vendors: [{ ...httpJson, usable: { path: 'a', in: [1] } }] },
    /vendors\.0\.usable\.in\.0 must be string/,
  ],
]

for (const [title, content, problem] of faulty)
  test(`a file of vendors with ${title} is refused by place, and its values are not shown`, async (t) => {
    const said = String(await readFrom(t, JSON.stringify(content)))
    t.regex(said, problem)
    t.notRegex(said, /canary/)
  })

test('every fault of a file of vendors is told at once', async (t) => {
  const vendors = [
    { code: 'A B', kind: 'stripe', secret_key_env: 'sk-canary', base_url: 'canary' },
    { kind: 'paypal' },
    sandbox,
    { ...httpJson, code: 'SANDBOX', usable: { path: '', in: [1, 2] } },
  ]
  const said = String(await readFrom(t, JSON.stringify({ vendors })))
  for (const place of [
    '0.code',
    '0.secret_key_env',
    '0.base_url',
    '1.kind',
    '3.usable.path',
    '3.usable.in.0',
    '3.usable.in.1',
    '3.code is taken',
  ])
    t.true(said.includes(`vendors.${place}`), place)
  t.notRegex(said, /canary/)
})

test('every rule of an HTTP-JSON vendor is read, by dotted path or pointer', async (t) => {
  const vendors = [
    {
      ...httpJson,
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

/** The faults of a server's configuration with these vendors, by variable. */
const faultsOf = async (t: ExecutionContext, environment: Readonly<Record<string, string>>) => {
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

test('what vendors need of the environment is read, and a server does not start without it', async (t) => {
  t.deepEqual(
    await faultsOf(t, { STRIPE_KEY: 'rk_test_1', ACME_AUTH: 'Bearer x', ACME_ID: 'y', OTHER: 'z' }),
    new Map([
      ['STRIPE_KEY', 'rk_test_1'],
      ['ACME_AUTH', 'Bearer x'],
      ['ACME_ID', 'y'],
    ]),
  )
  t.deepEqual(await faultsOf(t, { ACME_AUTH: ' ', ACME_ID: 'y' }), [
    'STRIPE_KEY is not set, and the payment vendor STRIPE needs it',
    'ACME_AUTH is not set, and the payment vendor ACME needs it',
  ])
  t.deepEqual(await faultsOf(t, { STRIPE_KEY: 'pk_live_canary', ACME_AUTH: 'canary\nx', ACME_ID: 'y' }), [
    'STRIPE_KEY must be a secret key, best a restricted one, that begins with rk_, and the payment vendor STRIPE needs it',
    'ACME_AUTH has characters that cannot be sent in a header, and the payment vendor ACME needs it',
  ])
})

test('a file of vendors that is no JSON is refused', async (t) => {
  t.regex(String(await readFrom(t, '{"vendors": [')), /is no JSON/)
})
