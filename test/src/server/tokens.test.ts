import { createSecretKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import {
  defaultTokenNames,
  joseAccessTokens,
  parseSigningKey,
  parseVerificationKeys,
  type SigningKey,
} from '@account-import/adapter-access-tokens'
import { type AccessTokenClaims, instantOf, type VerifiedToken } from '@account-import/core'
import { plusSeconds } from '@account-import/core/testing'
import { storedSigningKey } from '@account-import/server'
import { tempFolder } from '../support/temp-folder.js'

const keyOf = (text: string): SigningKey => {
  const key = parseSigningKey(text)
  if (key === undefined) throw new Error('the test made no usable key')
  return key
}
const hmacKey = (): SigningKey => keyOf(randomBytes(32).toString('base64'))
const edKey = (): SigningKey =>
  keyOf(generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString())

// Far from today, so that a check against the wall clock instead of the given instant fails the tests.
const at = instantOf(Date.UTC(2031, 4, 6, 7, 8, 9))
const claims: AccessTokenClaims = {
  apiKeyId: 'abc123',
  organisation: 'ACME',
  scopes: ['validate', 'read'],
  family: 'f',
  issuedAt: at,
  expiresAt: plusSeconds(at, 3600),
}

const sign = async (key: SigningKey, names?: { issuer: string; audience: string }): Promise<string> => {
  const signed = await joseAccessTokens(key, names).sign(claims)
  if (signed._tag === 'Left') throw new Error('signing failed', { cause: signed.left.cause })
  return signed.right
}

const verify = async (
  t: ExecutionContext,
  key: SigningKey,
  token: string,
  seconds = 0,
): Promise<VerifiedToken> => {
  const verified = await joseAccessTokens(key).verify(token, plusSeconds(at, seconds))
  if (verified._tag === 'Left') return t.fail(`verification failed: ${String(verified.left.cause)}`) as never
  return verified.right
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const decoded = (part: string | undefined): Record<string, unknown> =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as Record<string, unknown>

for (const [name, makeKey] of [
  ['HS256', hmacKey],
  ['EdDSA', edKey],
] as const) {
  test(`${name}: a token that was changed at any place is invalid`, async (t) => {
    const key = makeKey()
    const [header = '', payload = '', signature = ''] = (await sign(key)).split('.')
    const richer = encoded({ ...decoded(payload), scopes: ['process'] })
    const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
    for (const token of [
      `${header}.${richer}.${signature}`,
      `${header}.${payload}.${flipped}`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
      `${encoded({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
      `${encoded({ alg: 'none', typ: 'at+jwt' })}.${payload}.${signature}`,
      '',
      'x',
      '..',
      'ü.ü.ü',
      'a'.repeat(10_000),
    ])
      t.deepEqual(await verify(t, key, token), { _tag: 'invalid' }, token.slice(0, 40))
  })

  test(`${name}: a token of another key, issuer or audience is invalid, even when it has expired too`, async (t) => {
    const key = makeKey()
    const names = { issuer: 'account-import', audience: 'account-import/data-import' }
    for (const token of [
      await sign(makeKey()),
      await sign(key, { ...names, issuer: 'somebody' }),
      await sign(key, { ...names, audience: 'something' }),
    ]) {
      t.is((await verify(t, key, token))._tag, 'invalid')
      t.is((await verify(t, key, token, 4000))._tag, 'invalid')
    }
    t.is((await verify(t, key, await sign(key, names)))._tag, 'verified')
  })
}

test('a token signed with HMAC over the public key of an EdDSA service is invalid', async (t) => {
  const key = edKey()
  const spki = key.verify.export({ format: 'pem', type: 'spki' })
  const confused = createSecretKey(Buffer.from(spki))
  const token = await sign({ id: key.id, algorithm: 'HS256', sign: confused, verify: confused })
  t.deepEqual(await verify(t, key, token), { _tag: 'invalid' })
})

for (const [from, makeOld] of [
  ['HS256', hmacKey],
  ['EdDSA', edKey],
] as const)
  for (const [to, makeNew] of [
    ['HS256', hmacKey],
    ['EdDSA', edKey],
  ] as const)
    test(`tokens of both keys are valid from ${from} to ${to} while the other key is accepted`, async (t) => {
      const [old, next, stranger] = [makeOld(), makeNew(), makeOld()]
      const before = joseAccessTokens(old, defaultTokenNames, [next])
      const after = joseAccessTokens(next, defaultTokenNames, [hmacKey(), old, edKey()])
      for (const signer of [old, next])
        for (const server of [before, after]) {
          const token = await sign(signer)
          t.like(await server.verify(token, at), { right: { _tag: 'verified', claims } })
          t.like(await server.verify(token, plusSeconds(at, 3600)), { right: { _tag: 'expired' } })
        }
      t.is((await verify(t, next, await sign(old)))._tag, 'invalid', 'an old key is good no more')
      t.like(await after.verify(await sign(stranger), at), { right: { _tag: 'invalid' } })
    })

test('a token that names another key than its own is invalid', async (t) => {
  const [key, other] = [hmacKey(), hmacKey()]
  const token = await sign({ ...key, id: other.id })
  const tokens = joseAccessTokens(key, defaultTokenNames, [other])
  t.like(await tokens.verify(token, at), { right: { _tag: 'invalid' } })
})

test('tokens name their algorithm and their key, by the same id everywhere', async (t) => {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  const secret = randomBytes(32).toString('base64')
  for (const text of [pem, secret]) {
    const key = keyOf(text)
    t.like(decoded((await sign(key)).split('.')[0]), { alg: key.algorithm, kid: key.id })
    t.is(keyOf(text).id, key.id)
    t.false(secret.includes(key.id))
  }
})

test('accepted keys are read in sequence with any separators, public ones too', (t) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  const spki = publicKey.export({ format: 'pem', type: 'spki' }).toString()
  const [one, two] = [randomBytes(32).toString('base64'), randomBytes(48).toString('base64')]
  const idOf = (text: string): string => keyOf(text).id
  const idsIn = (text: string) => parseVerificationKeys(text)?.map(({ id }) => id)
  t.deepEqual(idsIn(''), [])
  t.deepEqual(idsIn(`${one},${two}`), [idOf(one), idOf(two)])
  t.deepEqual(idsIn(` ${one}\n${two} `), [idOf(one), idOf(two)])
  t.deepEqual(idsIn(`${one}\n${spki}${pem.replaceAll('\n', '\\n')},${two}`), [
    idOf(pem),
    idOf(pem),
    idOf(one),
    idOf(two),
  ])
  t.false(parseVerificationKeys(pem)?.some((key) => 'sign' in key))
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
  for (const text of [
    'x',
    `${one} x`,
    `${spki.slice(0, 60)}`,
    rsa.export({ format: 'pem', type: 'spki' }).toString(),
    `-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----`,
  ])
    t.is(parseVerificationKeys(text), undefined, text.slice(0, 20))
})

test('signing keys shorter than 32 bytes, or in another form, are refused', (t) => {
  for (const text of [
    '',
    randomBytes(31).toString('base64'),
    `${'a'.repeat(43)}!`,
    randomBytes(32).toString('hex') + '.',
  ])
    t.is(parseSigningKey(text), undefined)
  t.is(parseSigningKey(` ${randomBytes(32).toString('base64')}\n`)?.algorithm, 'HS256')
})

test('the stored key is made once, for its owner only, by servers that start together', async (t) => {
  const dataDir = await tempFolder(t)
  const keys = await Promise.all(Array.from({ length: 8 }, () => storedSigningKey(dataDir)))
  const token = await sign(keys[0] as SigningKey)
  for (const key of [...keys, await storedSigningKey(dataDir)])
    t.is((await verify(t, key, token))._tag, 'verified')
  const path = join(dataDir, 'token-signing-key')
  t.is((await stat(path)).mode & 0o777, 0o600)
  t.is(Buffer.from(await readFile(path, 'utf8'), 'base64').length, 32)
})

test('a damaged stored key is refused, not replaced', async (t) => {
  const dataDir = await tempFolder(t)
  const path = join(dataDir, 'token-signing-key')
  await writeFile(path, 'half')
  await chmod(path, 0o600)
  await t.throwsAsync(storedSigningKey(dataDir), { message: /contains no signing key/ })
  t.is(await readFile(path, 'utf8'), 'half')
})
