import { generateKeyPairSync } from 'node:crypto'
import { resolve } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { bundledTemplates } from '@account-import/adapter-email'
import { readConfig, type ServerConfig } from '@account-import/server'
import { cliInProcess } from '../support/cli-in-process.js'

const serverUrl = 'mysql://importer:db-pass-canary@db.example:3306/imports'
const key = Buffer.alloc(32, 7).toString('base64')

const configOf = (t: ExecutionContext, environment: Record<string, string>): ServerConfig => {
  const read = readConfig(environment, 'serve')
  if (read._tag === 'Left') t.fail(JSON.stringify(read.left))
  t.is(read._tag, 'Right')
  return (read as { right: ServerConfig }).right
}

const faultyVariables = (environment: Record<string, string>): readonly string[] => {
  const read = readConfig(environment, 'serve')
  return read._tag === 'Left' ? read.left.map(({ variable }) => variable) : []
}

test('an empty environment gives the documented defaults on the embedded database', (t) => {
  t.deepEqual(configOf(t, {}), {
    host: '127.0.0.1',
    port: 8080,
    dataDir: resolve('data'),
    database: { kind: 'embedded', url: `sqlite:${resolve('data', 'account-import.sqlite')}` },
    databasePool: 16,
    documentStorage: { kind: 'folder', path: resolve('data', 'documents') },
    paymentVendors: [],
    paymentVendorSecrets: new Map(),
    paymentVendorPersistentSeconds: 600,
    trustProxy: false,
    maxConnections: 4000,
    requestsPerKey: 512,
    rateLimitPerKey: undefined,
    signingKey: undefined,
    verificationKeys: [],
    auditKeys: [],
    encryptionKeys: undefined,
    processingConcurrencyLimit: undefined,
    processingClaimSeconds: 60,
    mail: undefined,
    mailTemplates: bundledTemplates,
    mailConcurrency: 4,
    mailTimeoutSeconds: 30,
    mailAttempts: 12,
    mailRetrySeconds: 60,
    webhookPrivateAddresses: false,
    webhookTimeoutSeconds: 15,
    timeZone: 'Europe/Madrid',
    defaultCountry: 'ES',
    basePath: '',
    corsOrigins: [],
    introspection: false,
    console: false,
    metrics: true,
    metricsPort: undefined,
    logLevel: 'info',
    production: false,
  })
})

test('every variable is read, blank ones count as unset, and unknown ones are ignored', (t) => {
  const config = configOf(t, {
    HOST: '0.0.0.0',
    PORT: '0',
    DATA_DIR: '/var/lib/imports',
    DATABASE_URL: serverUrl,
    DATABASE_POOL: '4',
    DOCUMENT_STORAGE_URL: 's3+http://minio:s%2Fcret@127.0.0.1:9000/documents',
    PAYMENT_VENDORS: 'none',
    PAYMENT_VENDOR_PERSISTENT_SECONDS: '30',
    TRUST_PROXY: 'on',
    MAX_CONNECTIONS: '100',
    REQUESTS_PER_KEY: '32',
    RATE_LIMIT_PER_KEY: '600/60',
    TOKEN_SIGNING_KEY: key,
    TOKEN_VERIFICATION_KEYS: `${key}, ${'A'.repeat(43)}=`,
    AUDIT_KEY: `a-key-of-at-least-32-characters:-ñ,\n${key}`,
    ENCRYPTION_KEYS: `${key} ${Buffer.alloc(32, 1).toString('base64')}`,
    PROCESSING_CONCURRENCY_LIMIT: '8',
    PROCESSING_CLAIM_SECONDS: '5',
    SMTP_URL: 'smtps://mailer%40example.com:s%2Fcret@smtp.example',
    MAIL_FROM: 'Llum <no-reply@example.com>',
    MAIL_CONCURRENCY: '8',
    MAIL_TIMEOUT_SECONDS: '10',
    MAIL_ATTEMPTS: '5',
    MAIL_RETRY_SECONDS: '30',
    WEBHOOK_PRIVATE_ADDRESSES: 'on',
    WEBHOOK_TIMEOUT_SECONDS: '5',
    TIME_ZONE: 'America/Lima',
    DEFAULT_COUNTRY: 'PE',
    BASE_PATH: '/migration/a/',
    CORS_ORIGINS: 'https://app.example, http://localhost:3000',
    GRAPHQL_INTROSPECTION: 'on',
    CONSOLE: 'on',
    METRICS: 'off',
    METRICS_PORT: '9090',
    LOG_LEVEL: 'warn',
    NODE_ENV: 'production',
    SOMETHING_ELSE: '?',
  })
  const { signingKey, verificationKeys, encryptionKeys, ...others } = config
  t.deepEqual([signingKey?.algorithm, verificationKeys.length, encryptionKeys?.length], ['HS256', 2, 2])
  t.deepEqual(others, {
    auditKeys: ['a-key-of-at-least-32-characters:-ñ', key],
    host: '0.0.0.0',
    port: 0,
    dataDir: '/var/lib/imports',
    database: { kind: 'server', url: serverUrl },
    databasePool: 4,
    documentStorage: {
      kind: 'bucket',
      endpoint: 'http://127.0.0.1:9000',
      accessKey: 'minio',
      secretKey: 's/cret',
      bucket: 'documents',
    },
    paymentVendors: [],
    paymentVendorSecrets: new Map(),
    paymentVendorPersistentSeconds: 30,
    trustProxy: true,
    maxConnections: 100,
    requestsPerKey: 32,
    rateLimitPerKey: { requests: 600, seconds: 60 },
    processingConcurrencyLimit: 8,
    processingClaimSeconds: 5,
    mail: {
      server: {
        host: 'smtp.example',
        port: 465,
        tls: 'implicit',
        credentials: { user: 'mailer@example.com', password: 's/cret' },
      },
      from: { name: 'Llum', address: 'no-reply@example.com' },
    },
    mailTemplates: bundledTemplates,
    mailConcurrency: 8,
    mailTimeoutSeconds: 10,
    mailAttempts: 5,
    mailRetrySeconds: 30,
    webhookPrivateAddresses: true,
    webhookTimeoutSeconds: 5,
    timeZone: 'America/Lima',
    defaultCountry: 'PE',
    basePath: '/migration/a',
    corsOrigins: ['https://app.example', 'http://localhost:3000'],
    introspection: true,
    console: true,
    metrics: false,
    metricsPort: 9090,
    logLevel: 'warn',
    production: true,
  })
  t.is(configOf(t, { PORT: '', TIME_ZONE: '  ' }).port, 8080)
})

test('a wrong configuration names every faulty variable at once', async (t) => {
  const faulty = {
    HOST: 'a b',
    PORT: '65536',
    DATA_DIR: 'a\0b',
    DATABASE_URL: 'oracle://u:p@h/d',
    DATABASE_POOL: '0',
    DOCUMENT_STORAGE_URL: 'http://h/b',
    PAYMENT_VENDORS: '/nonexistent/vendors.json',
    PAYMENT_VENDOR_PERSISTENT_SECONDS: '0',
    TRUST_PROXY: 'true',
    TOKEN_SIGNING_KEY: 'c2hvcnQ=',
    MAX_CONNECTIONS: '9',
    REQUESTS_PER_KEY: '0',
    RATE_LIMIT_PER_KEY: '600',
    PROCESSING_CONCURRENCY_LIMIT: '0',
    PROCESSING_CLAIM_SECONDS: '1.5',
    SMTP_URL: 'http://smtp.example',
    MAIL_FROM: 'Llum',
    MAIL_TEMPLATES: '/nonexistent/templates',
    MAIL_CONCURRENCY: '0',
    MAIL_TIMEOUT_SECONDS: '0',
    MAIL_ATTEMPTS: '0',
    MAIL_RETRY_SECONDS: '0',
    TIME_ZONE: 'Mars/Olympus',
    DEFAULT_COUNTRY: 'es',
    BASE_PATH: '/a/../b',
    CORS_ORIGINS: '*',
    METRICS: 'yes',
    METRICS_PORT: '65536',
    LOG_LEVEL: 'loud',
  }
  t.deepEqual([...faultyVariables(faulty)].toSorted(), Object.keys(faulty).toSorted())
  const { code, stdout, stderr } = await cliInProcess(['serve'], faulty)
  t.deepEqual([code, stdout], [2, ''])
  t.is(stderr.trimEnd().split('\n').length, 1 + Object.keys(faulty).length)
  t.regex(stderr, /PORT must be a whole number from 0 to 65535, not "65536"/)
  t.regex(stderr, /CORS_ORIGINS must be origins such as https:\/\/app\.example/)
})

const noDatabases = ['sqlite:', 'mysql://host', 'mysql://host/', 'mysql:///db', 'mysql://h/a/b', 'x']

/** `%ZZ` is no valid escape; the same in user, password and database. */
const undecodable = ['mysql://u%ZZ:p@h/d', 'mysql://u:s%ZZpw@h/d', 'mysql://u:p@h/d%ZZ', ' mysql://u:p@h/d']

for (const [variable, values] of Object.entries({
  PORT: ['-1', '8080x', '1e3', '٣'],
  RATE_LIMIT_PER_KEY: ['0/60', '60/0', '1/86401', '1000001/60', '-1/60', '6/6/6', 'on'],
  TIME_ZONE: ['+01:00', 'Europe', 'Europe/Madrid;'],
  DEFAULT_COUNTRY: ['XX', 'EU', 'ESP'],
  MAIL_FROM: ['a@b', 'A <a@example.com>, B <b@example.com>', 'A\r\nBcc: x <a@example.com>'],
  CORS_ORIGINS: [
    '*',
    'app.example',
    'https://app.example/',
    'https://App.example',
    'ftp://a.example',
    'https://app.example,',
  ],
  BASE_PATH: ['migration', '/a b', '/a?b', '//', '/a/%2e'],
  DATABASE_URL: [...noDatabases, ...undecodable],
  DOCUMENT_STORAGE_URL: [
    'file:',
    'file://host/documents',
    'https://k:s@h/bucket',
    's3+https://h/bucket',
    's3+https://k@h/bucket',
    's3+https://k:s@h',
    's3+https://k:s@h/B',
    's3+https://k:s@h/bucket/folder',
    's3+https://k:s@h/bucket?region=',
    's3+https://k:s@h/bucket?region=EU%20West',
    's3+https://k:s@h/bucket?region=eu-west-1&x=y',
    's3+https://k:s@h/bucket?versionId=1',
    's3+https://k:s%ZZ@h/bucket',
    's3+ftp://k:s@h/bucket',
  ],
  AUDIT_KEY: ['short', `${key} short`, `${key},${key}`, ','],
  ENCRYPTION_KEYS: [key.slice(4), `${key}AAAA`, `${key},${key}`, `${key},short`, ',', 'a key'],
  TRUST_PROXY: ['1', 'yes', 'ON'],
  PAYMENT_VENDOR_PERSISTENT_SECONDS: ['0', '-1', '1.5', '86401'],
  PROCESSING_CLAIM_SECONDS: ['0', '3601'],
  HOST: ['http://x', '1.2.3.4/8'],
}))
  test(`${variable} refuses ${values.join(' and ')}`, (t) => {
    for (const value of values) t.true(faultyVariables({ [variable]: value }).includes(variable), value)
  })

const secrets = {
  DATABASE_URL: 'mysql://u:db-pass-canary%ZZ@h/d',
  DOCUMENT_STORAGE_URL: 's3+https://key-canary:secret-canary@h/B',
}

test('no password or key is printed, however wrong it is', async (t) => {
  const read = readConfig(
    { ...secrets, AUDIT_KEY: 'audit-canary', TOKEN_SIGNING_KEY: 'signing-canary', ENCRYPTION_KEYS: 'canary' },
    'serve',
  )
  t.is(read._tag === 'Left' ? read.left.length : 0, 5)
  t.notRegex(JSON.stringify(read), /canary/)
  const { code, stderr } = await cliInProcess(['team', 'list'], { DATABASE_URL: secrets.DATABASE_URL })
  t.is(code, 2)
  t.regex(stderr, /DATABASE_URL must be [^\n]*percent-encoded(?!.*canary)/)
})

test('serving with a database server needs a signing key, operator commands do not, and a refused key is reported once', (t) => {
  t.deepEqual(faultyVariables({ DATABASE_URL: serverUrl, TOKEN_SIGNING_KEY: 'short' }), ['TOKEN_SIGNING_KEY'])
  t.deepEqual(faultyVariables({ DATABASE_URL: serverUrl }), ['TOKEN_SIGNING_KEY'])
  t.deepEqual(faultyVariables({ DATABASE_URL: serverUrl, TOKEN_SIGNING_KEY: key }), [])
  t.is(readConfig({ DATABASE_URL: serverUrl }, 'operate')._tag, 'Right')
})

test('an Ed25519 key in PEM signs with EdDSA, also on one line, and keys of other kinds are refused', (t) => {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  for (const text of [pem, pem.replaceAll('\n', '\\n')]) {
    t.is(configOf(t, { TOKEN_SIGNING_KEY: text }).signingKey?.algorithm, 'EdDSA')
  }
  const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const both = {
    TOKEN_SIGNING_KEY: p256.export({ format: 'pem', type: 'pkcs8' }).toString(),
    TOKEN_VERIFICATION_KEYS: `${key},short`,
  }
  t.deepEqual(faultyVariables(both), Object.keys(both))
})

test('documents may be in a folder, given as a path or a URL', (t) => {
  for (const [url, path] of [
    ['file:documents', 'documents'],
    ['file:/srv/documents', '/srv/documents'],
    ['file:///srv/documents', '/srv/documents'],
  ] as const)
    t.deepEqual(configOf(t, { DOCUMENT_STORAGE_URL: url }).documentStorage, { kind: 'folder', path })
})
