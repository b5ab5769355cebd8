import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { readConfig } from '@account-import/server'
import { tempFolder } from './support/temp-folder.js'

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
  return read.left[0]?.problem
}

test('vendors of every kind are read from a file', async (t) => {
  const vendors = [sandbox, stripe, { ...stripe, code: 'S2', base_url: 'http://127.0.0.1:1' }, httpJson]
  t.deepEqual(await readFrom(t, JSON.stringify({ vendors })), vendors)
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

test('a file of vendors that is no JSON is refused', async (t) => {
  t.regex(String(await readFrom(t, '{"vendors": [')), /is no JSON/)
})
