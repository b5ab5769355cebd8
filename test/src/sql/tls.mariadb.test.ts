import { connectSql } from '@account-import/adapter-sql'
import test, { type ExecutionContext } from 'ava'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  freePort,
  makeCertificates,
  mariaDbAvailable,
  startMariaDb,
  type Certificates,
  type MariaDb,
} from '../servers/index.js'

const folder = mkdtempSync(join(tmpdir(), 'account-import-tls-'))
test.after.always('remove certificates', () => rmSync(folder, { recursive: true, force: true }))

const settingsOf = ({ certificate, key }: Certificates): readonly string[] => [
  `--ssl-cert=${certificate}`,
  `--ssl-key=${key}`,
]

let server: MariaDb
/** Of the address 127.0.0.1, of the name localhost, and of nobody who is asked here. */
let [ofAddress, ofName, ofStranger]: (Certificates | undefined)[] = []

const onTls = mariaDbAvailable() ? test.serial : test.serial.skip

if (mariaDbAvailable()) {
  test.before('start MariaDB with a certificate', async () => {
    ofAddress = await makeCertificates(folder, 'address', 'IP:127.0.0.1')
    ofName = await makeCertificates(folder, 'name', 'DNS:localhost')
    ofStranger = await makeCertificates(folder, 'stranger', 'IP:127.0.0.1')
    server = await startMariaDb(settingsOf(ofAddress))
  })
  test.after.always('stop MariaDB', () => server.stop())
}

const reasons = [
  [/unable to verify the first certificate/, 'not trusted'],
  [/does not match certificate/, 'another name'],
] as const

/** `encrypted` or `plain`, or why neither. */
const reached = async (t: ExecutionContext, hosts: string, query: string): Promise<string> => {
  const knex = connectSql(`mysql://root@${hosts}/mysql${query}`)
  t.teardown(() => knex.destroy())
  try {
    const [[row]] = (await knex.raw("SHOW STATUS LIKE 'Ssl_cipher'")) as [[{ Value: string }]]
    return row.Value === '' ? 'plain' : 'encrypted'
  } catch (cause) {
    const { code, message } = cause as { code: string; message: string }
    return reasons.find(([words]) => words.test(message))?.[1] ?? code
  } finally {
    await knex.destroy()
  }
}

const here = (name: string): string => `${name}:${server.port}`
const trusting = (certificates: Certificates | undefined): string => `?tls-ca=${certificates?.authority}`

onTls(
  'an authority that is named is trusted, and a certificate of its is taken for its own address',
  async (t) => {
    t.is(await reached(t, here('127.0.0.1'), trusting(ofAddress)), 'encrypted')
  },
)

onTls('a certificate of another authority, or of none that is bundled, is refused', async (t) => {
  t.is(await reached(t, here('127.0.0.1'), trusting(ofStranger)), 'not trusted')
  t.is(await reached(t, here('127.0.0.1'), '?tls=on'), 'not trusted')
})

onTls('a certificate of another name or another address is refused', async (t) => {
  t.is(await reached(t, here('localhost'), trusting(ofAddress)), 'another name')
  t.is(await reached(t, here('0.0.0.0'), trusting(ofAddress)), 'another name')
})

onTls('what is not this machine gets TLS by itself, and plain text only where that is said', async (t) => {
  // An address that is none of loopback, though Linux takes it for this machine.
  t.is(await reached(t, here('0.0.0.0'), ''), 'not trusted')
  t.is(await reached(t, here('0.0.0.0'), '?tls=off'), 'plain')
  t.is(await reached(t, here('127.0.0.1'), ''), 'plain')
})

onTls('of several hosts the one that is there is reached by TLS too', async (t) => {
  const hosts = `127.0.0.1:${await freePort()},${here('127.0.0.1')}`
  t.is(await reached(t, hosts, trusting(ofAddress)), 'encrypted')
  t.is(await reached(t, hosts, trusting(ofStranger)), 'ECONNREFUSED', 'what the first of them says')
})

onTls('the certificate of a name is taken for the name, and not for the address behind it', async (t) => {
  await server.restart(settingsOf(ofName as Certificates))
  t.is(await reached(t, here('localhost'), trusting(ofName)), 'encrypted')
  t.is(await reached(t, here('127.0.0.1'), trusting(ofName)), 'another name')
})

onTls('a server without TLS is refused where TLS was asked for', async (t) => {
  await server.restart(['--skip-ssl'])
  t.is(await reached(t, here('127.0.0.1'), trusting(ofAddress)), 'HANDSHAKE_NO_SSL_SUPPORT')
  t.is(await reached(t, here('127.0.0.1'), ''), 'plain')
})
