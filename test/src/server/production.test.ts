import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig } from '@account-import/server'
import test from 'ava'
import { cliInProcess } from '../support/cli-in-process.js'
import { tempFolder } from '../support/temp-folder.js'

type Environment = Readonly<Record<string, string>>

const key = Buffer.alloc(32, 7).toString('base64')

/** All that `serve` asks for in production. */
const whole: Environment = {
  NODE_ENV: 'production',
  DATABASE_URL: 'mysql://u:p@db.example/d',
  TOKEN_SIGNING_KEY: key,
  AUDIT_KEY: key,
  PAYMENT_VENDORS: 'none',
  METRICS_PORT: '9090',
}

const faultsOf = (environment: Environment, purpose: 'serve' | 'operate' = 'serve'): readonly string[] => {
  const read = readConfig(environment, purpose)
  return read._tag === 'Left' ? read.left.map(({ variable, detail }) => `${variable} ${detail}`) : []
}

const without = (name: string): Environment =>
  Object.fromEntries(Object.entries(whole).filter(([given]) => given !== name))

test('production has no sandbox: not by default, not by name, not in a file; and says how to go on', async (t) => {
  const folder = await tempFolder(t)
  const file = join(folder, 'vendors.json')
  await writeFile(file, JSON.stringify({ vendors: [{ code: 'CANARY', kind: 'sandbox' }] }))
  for (const environment of [without('PAYMENT_VENDORS'), { ...whole, PAYMENT_VENDORS: ' ' }])
    t.regex(
      faultsOf(environment).join(),
      /^PAYMENT_VENDORS is required in production .* a JSON file .* or none/,
    )
  for (const PAYMENT_VENDORS of ['SANDBOX', file])
    t.regex(
      faultsOf({ ...whole, PAYMENT_VENDORS }).join(),
      /^PAYMENT_VENDORS must have no vendor of kind sandbox .* out of the file/,
    )
  t.deepEqual(faultsOf(whole), [])
  t.deepEqual(faultsOf(without('PAYMENT_VENDORS'), 'operate'), [], 'commands ask no vendor')
  const { code, stdout, stderr } = await cliInProcess(['serve', '--demo'], { ...whole, DATA_DIR: folder })
  t.deepEqual([code, stdout], [2, ''])
  t.regex(stderr, /leave --demo out .* leave NODE_ENV=production out/s)
  t.deepEqual(await readdir(folder), ['vendors.json'])
})

test('production is told by NODE_ENV in any case, and by prod; everything that it lacks is said at once', (t) => {
  for (const NODE_ENV of ['production', 'Production', 'PRODUCTION', ' production ', 'prod', 'PROD'])
    t.deepEqual(
      faultsOf({ NODE_ENV }).map((fault) => fault.split(' ')[0]),
      ['DATABASE_URL', 'PAYMENT_VENDORS', 'METRICS_PORT'],
      NODE_ENV,
    )
  for (const NODE_ENV of ['', 'development', 'staging', 'preproduction', 'product'])
    t.deepEqual(faultsOf({ NODE_ENV }), [], NODE_ENV)
})

test('without --demo and without its name there is no sandbox anywhere', (t) => {
  const vendorsOf = (environment: Environment) => {
    const read = readConfig(environment, 'serve')
    return read._tag === 'Right' ? read.right.paymentVendors : read.left
  }
  t.deepEqual(vendorsOf({}), [])
  t.deepEqual(vendorsOf({ PAYMENT_VENDORS: 'SANDBOX' }), [{ code: 'SANDBOX', kind: 'sandbox' }])
})

test('production takes no database that nobody named, and says which variable looks misspelt', (t) => {
  for (const purpose of ['serve', 'operate'] as const) {
    t.regex(faultsOf(without('DATABASE_URL'), purpose).join(), /^DATABASE_URL is required in production/)
    const misspelt = faultsOf({ ...without('DATABASE_URL'), DATABSE_URL: 'mysql://u:canary@h/d' }, purpose)
    t.regex(misspelt.join(), /DATABSE_URL is set: is DATABASE_URL meant\?$/)
    t.notRegex(misspelt.join(), /canary/)
    t.deepEqual(faultsOf({ ...whole, DATABASE_URL: 'sqlite:/data/imports.sqlite' }, purpose), [])
  }
  t.notRegex(faultsOf({ ...without('DATABASE_URL'), DATA_URL: 'x' }).join(), /DATA_URL is set/)
})

test('production wants the key of the record with a database server, which all servers share', (t) => {
  t.regex(faultsOf(without('AUDIT_KEY')).join(), /^AUDIT_KEY is required in production .* openssl rand/)
  t.regex(
    faultsOf({ ...without('AUDIT_KEY'), AUDIT_KEYS: key }).join(),
    /AUDIT_KEYS is set: is AUDIT_KEY meant/,
  )
  t.deepEqual(faultsOf({ ...without('AUDIT_KEY'), DATABASE_URL: 'sqlite:/data/imports.sqlite' }), [])
  t.deepEqual(faultsOf({ ...without('AUDIT_KEY'), NODE_ENV: 'development' }), [])
})

test('production answers /metrics beside the API to nobody', (t) => {
  t.regex(faultsOf(without('METRICS_PORT')).join(), /^METRICS_PORT is required in production .* METRICS=off/)
  t.deepEqual(faultsOf({ ...without('METRICS_PORT'), METRICS: 'off' }), [])
  t.is(faultsOf({ ...whole, METRICS_PORT: 'x' }).length, 1)
})
