import { generateKeyPairSync } from 'node:crypto'
import test from 'ava'
import { readConfig } from '@account-import/server'

const key = Buffer.alloc(32, 7).toString('base64')

test('an Ed25519 key in PEM signs with EdDSA, also on one line; keys of other kinds are refused', (t) => {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  for (const text of [pem, pem.replaceAll('\n', '\\n')]) {
    const read = readConfig({ TOKEN_SIGNING_KEY: text }, 'serve')
    t.is(read._tag === 'Right' ? read.right.signingKey?.algorithm : undefined, 'EdDSA')
  }
  const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const both = {
    TOKEN_SIGNING_KEY: p256.export({ format: 'pem', type: 'pkcs8' }).toString(),
    TOKEN_VERIFICATION_KEYS: `${key},short`,
  }
  const refused = readConfig(both, 'serve')
  t.deepEqual(refused._tag === 'Left' ? refused.left.map(({ variable }) => variable) : [], Object.keys(both))
})

test('keys of the record have 32 characters or more, and are each there once', (t) => {
  for (const AUDIT_KEY of ['short', `${key} short`, `${key},${key}`, ',']) {
    const read = readConfig({ AUDIT_KEY }, 'serve')
    t.deepEqual(read._tag === 'Left' ? read.left.map(({ variable }) => variable) : [], ['AUDIT_KEY'])
  }
})
