import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectSql } from '@account-import/adapter-sql'
import { readConfig, type ServerConfig } from '@account-import/server'
import test from 'ava'
import { cliInProcess } from '../support/cli-in-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { selfSigned } from '../support/self-signed.js'

type Environment = Readonly<Record<string, string>>

const key = Buffer.alloc(32, 7).toString('base64')

/** The value of the configuration at a place, or its faults. */
const readAs = <A>(
  environment: Environment,
  look: (config: ServerConfig) => A,
  purpose: 'serve' | 'operate' = 'serve',
): A | readonly string[] => {
  const read = readConfig(environment, purpose)
  return read._tag === 'Right'
    ? look(read.right)
    : read.left.map(({ variable, detail }) => `${variable} ${detail}`)
}

const faultsOf = (environment: Environment, purpose?: 'serve' | 'operate'): readonly string[] =>
  readAs(environment, () => [], purpose)

const database = (url: string): Environment => ({ DATABASE_URL: url, TOKEN_SIGNING_KEY: key })
const fault = (url: string): string => faultsOf(database(url)).join()

test('DATABASE_URL may have several hosts, with and without ports, also by address', (t) => {
  const url = 'mysql://u:p%40%2C@db1.example:3306,db2.example,[::1]:3307/imports?tls=on'
  const read = readAs(database(url), (config) => config.database)
  t.deepEqual(read, { kind: 'server', url })
})

test('postgres:// has the same form, and tls and tls-ca alone', (t) => {
  for (const scheme of ['postgres', 'postgresql']) {
    const url = `${scheme}://u:p%40@db1.example:5433,db2.example,[::1]/imports?tls=off`
    t.deepEqual(
      readAs(database(url), (config) => config.database),
      { kind: 'server', url },
    )
  }
  const unknown = fault('postgres://u:p@db.example/d?sslmode=canary&socketPath=/run')
  t.regex(unknown, /^DATABASE_URL may have only the parameters tls and tls-ca, not sslmode, socketPath/)
  t.notRegex(unknown, /canary/)
  t.regex(fault('postgres://u:p@db.example'), /must be sqlite:<file>, or mysql:\/\/ or postgres:\/\/ with/)
})

test('an empty host, and hosts with databases of their own, are refused', (t) => {
  for (const rest of ['h1,/d', ',h2/d', 'h1:3306,h2:x/d', 'h1/d,h2/d'])
    t.deepEqual(
      faultsOf(database(`mysql://u:p@${rest}`)).map((each) => each.split(' ')[0]),
      ['DATABASE_URL'],
      rest,
    )
})

test('an unknown parameter of DATABASE_URL is refused by name, in any spelling, without its value', (t) => {
  const unheeded = 'ssl=canary ssl=TRUE ssl=1 sslmode=require TLS=off tls-CA=a.pem useSSL=canary #canary'
  for (const query of unheeded.split(' ')) {
    const answer = fault(`mysql://u:p@db.example/d?${query}`)
    t.regex(answer, /^DATABASE_URL may have only the parameters tls, tls-ca and socketPath/, query)
    const [name = ''] = query.split('=')
    t.is(answer.includes(`, not ${name} (`), !query.startsWith('#'), answer)
    t.notRegex(answer, /canary|require/)
  }
  for (const [query, expected] of [
    ['tls=true', /tls=on .* or tls=off/],
    ['tls=', /tls=on .* or tls=off/],
    ['tls=off&tls=on', /more than once/],
    ['tls=off&tls-ca=package.json', /cannot be combined/],
    ['tls-ca=package.json&socketPath=/run/canary.sock', /cannot be combined/],
    ['tls=on&socketPath=/run/canary.sock', /cannot be combined/],
    ['tls-ca=/nonexistent/canary.pem', /no file of certificates/],
    ['tls-ca=package.json', /no file of certificates/],
  ] as const) {
    const answer = fault(`mysql://u:p@db.example/d?${query}`)
    t.regex(answer, expected, query)
    t.notRegex(answer, /canary/)
  }
  for (const query of ['', '?tls=off', '?tls=on', '?socketPath=/run/mysqld.sock', '?socketPath=/s&tls=off'])
    t.is(fault(`mysql://u:p@db.example/d${query}`), '')
})

test('a SQLite file takes no parameters: one is refused by name, without its value', (t) => {
  t.regex(
    fault('sqlite:/data/imports.sqlite?nosuch=canary'),
    /^DATABASE_URL may have no parameters .*, not nosuch \(/,
  )
  t.regex(fault('sqlite:/data/imports.sqlite?mode=ro&cache=canary'), /, not mode, cache \(/)
  t.regex(fault('sqlite::memory:?nosuch'), /, not nosuch \(/)
  t.regex(fault('sqlite:/data/imports.sqlite?'), /^DATABASE_URL may have no parameters/)
  t.regex(fault('mysql://u:p@db.example/d?s%20ecret!=1'), /, not one whose name is not shown \(/)
  t.throws(() => connectSql('sqlite:/data/imports.sqlite?nosuch=1'), {
    message: /no parameters .* not nosuch/,
  })
  t.is(fault('sqlite:/data/imports.sqlite'), '')
})

test('a bucket on another machine is reached without TLS only when that is configured, one on this machine always', (t) => {
  const storage = (url: string): string => {
    const storedIn = ({ documentStorage: stored }: ServerConfig) =>
      stored.kind === 'bucket' ? stored.endpoint : stored.kind
    return String(readAs({ DOCUMENT_STORAGE_URL: url }, storedIn)).split(' ')[0] ?? ''
  }
  for (const query of ['', '?region=eu-west-1', '?tls=on', '?tls=off&tls=off', '?ssl=off', '?tls=off&x=1'])
    t.is(storage(`s3+http://k:s@minio.example:9000/docs${query}`), 'DOCUMENT_STORAGE_URL', query)
  t.is(storage('s3+https://k:s@minio.example/docs?tls=off'), 'DOCUMENT_STORAGE_URL')
  for (const query of ['?tls=off', '?tls=off&region=eu-west-1', '?region=eu-west-1&tls=off'])
    t.is(storage(`s3+http://k:s@minio.example:9000/docs${query}`), 'http://minio.example:9000')
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '127.1.2.3'])
    t.is(storage(`s3+http://k:s@${host}:9000/docs`), `http://${host}:9000`)
  for (const host of ['127.0.0.1.example', 'localhost.example', '0.0.0.0', '[::2]'])
    t.is(storage(`s3+http://k:s@${host}:9000/docs`), 'DOCUMENT_STORAGE_URL', host)
})

const mailBy = (url: string) =>
  readAs({ SMTP_URL: url, MAIL_FROM: 'a@example.com' }, ({ mail }) => mail?.server ?? 'none')

test('the CA file of the mail server is read at the start, and refused when it has no certificate or TLS is off', async (t) => {
  const authority = join(await tempFolder(t), 'authority.pem')
  const { cert: authorities } = selfSigned
  await writeFile(authority, authorities)
  t.like(mailBy(`smtps://h?tls-ca=${authority}`), { tls: 'implicit', authorities })
  t.like(mailBy(`smtp://h?tls-ca=${authority}`), { tls: 'required', authorities })
  for (const file of ['/nonexistent/canary.pem', 'package.json'])
    t.regex(
      String(mailBy(`smtps://h?tls-ca=${file}`)),
      /^SMTP_URL has a tls-ca that is no file of certificates(?!.*canary)/,
    )
  for (const query of [`tls=off&tls-ca=${authority}`, `tls-ca=${authority}&tls-ca=${authority}`])
    t.regex(String(mailBy(`smtp://h?${query}`)), /^SMTP_URL must be smtp/, query)
})

/** All variables that `serve` needs in production. */
const whole: Environment = {
  NODE_ENV: 'production',
  DATABASE_URL: 'mysql://u:p@db.example/d',
  TOKEN_SIGNING_KEY: key,
  AUDIT_KEY: key,
  PAYMENT_VENDORS: 'none',
  METRICS_PORT: '9090',
}

const without = (name: string): Environment =>
  Object.fromEntries(Object.entries(whole).filter(([given]) => given !== name))

test('production refuses the sandbox by default, by name and in a file, with the remedy', async (t) => {
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

test('NODE_ENV selects production in any case, and as prod, and all missing variables are reported at once', (t) => {
  for (const NODE_ENV of ['production', 'Production', 'PRODUCTION', ' production ', 'prod', 'PROD'])
    t.deepEqual(
      faultsOf({ NODE_ENV }).map((fault) => fault.split(' ')[0]),
      ['DATABASE_URL', 'PAYMENT_VENDORS', 'METRICS_PORT'],
      NODE_ENV,
    )
  for (const NODE_ENV of ['', 'development', 'staging', 'preproduction', 'product'])
    t.deepEqual(faultsOf({ NODE_ENV }), [], NODE_ENV)
})

test('production refuses an unnamed database, and names a variable that looks misspelt', (t) => {
  for (const purpose of ['serve', 'operate'] as const) {
    t.regex(faultsOf(without('DATABASE_URL'), purpose).join(), /^DATABASE_URL is required in production/)
    const misspelt = faultsOf({ ...without('DATABASE_URL'), DATABSE_URL: 'mysql://u:canary@h/d' }, purpose)
    t.regex(misspelt.join(), /DATABSE_URL is set: is DATABASE_URL meant\?$/)
    t.notRegex(misspelt.join(), /canary/)
    t.deepEqual(faultsOf({ ...whole, DATABASE_URL: 'sqlite:/data/imports.sqlite' }, purpose), [])
  }
  t.notRegex(faultsOf({ ...without('DATABASE_URL'), DATA_URL: 'x' }).join(), /DATA_URL is set/)
})

test('production with a database server needs the key of the audit log, which all servers share', (t) => {
  t.regex(faultsOf(without('AUDIT_KEY')).join(), /^AUDIT_KEY is required in production .* openssl rand/)
  t.regex(
    faultsOf({ ...without('AUDIT_KEY'), AUDIT_KEYS: key }).join(),
    /AUDIT_KEYS is set: is AUDIT_KEY meant/,
  )
  t.deepEqual(faultsOf({ ...without('AUDIT_KEY'), DATABASE_URL: 'sqlite:/data/imports.sqlite' }), [])
  t.deepEqual(faultsOf({ ...without('AUDIT_KEY'), NODE_ENV: 'development' }), [])
})

test('production does not serve /metrics beside the API', (t) => {
  t.regex(faultsOf(without('METRICS_PORT')).join(), /^METRICS_PORT is required in production .* METRICS=off/)
  t.deepEqual(faultsOf({ ...without('METRICS_PORT'), METRICS: 'off' }), [])
  t.is(faultsOf({ ...whole, METRICS_PORT: 'x' }).length, 1)
})
