import type { AccessTokenClaims, AccessTokens } from '../ports/access.js'
import type { PlatformAccountNumbers } from '../ports/accounts.js'
import type { Clock, KeyRing, Secrets, WrappedKey } from '../ports/secrets.js'
import { instantOf, isInstant } from '../values/instant.js'
import { after } from './builders.js'
import { casesOf, equal, left, right } from './contract-case.js'

const many = Array.from({ length: 1000 })

/** Every clock. */
export const clockCases = casesOf<Clock>('Clock', {
  'instants have exactly the form that compares as text': async (clock) => {
    const now = clock.now()
    equal([isInstant(now), now.length], [true, '2025-09-01T10:00:00.000Z'.length])
  },
})

/** Every source of secrets. */
export const secretsCases = casesOf<Secrets>('Secrets', {
  'each secret is unique and has 43 characters with 256 bits': async (secrets) => {
    const made = many.map(() => secrets.generate())
    equal(new Set(made).size, made.length)
    equal(
      made.filter((secret) => !/^[A-Za-z0-9_-]{43}$/.test(secret)),
      [],
    )
  },
  'a hash is the SHA-256 of the text in UTF-8, in lower-case hexadecimal digits': async (secrets) => {
    const known = {
      abc: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      é: '4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c',
    }
    for (const [text, hash] of Object.entries(known)) equal(await secrets.hash(text), hash)
  },
})

/** Every source of platform account numbers. */
export const platformAccountNumberCases = casesOf<PlatformAccountNumbers>('PlatformAccountNumbers', {
  'each number is unique and has the documented form, also in concurrent calls': async (numbers) => {
    const made = await Promise.all(many.map(() => right(numbers.next())))
    equal(new Set(made).size, made.length)
    equal(
      made.filter((number) => !/^[A-Z0-9-]{1,32}$/.test(number)),
      [],
    )
  },
})

/** `rotated` has the keys of `ring` after another one; `other` has none of them. */
export type KeyRingSubject = Readonly<{ ring: KeyRing; rotated: KeyRing; other: KeyRing }>

const dataKey = Uint8Array.from({ length: 32 }, (_, index) => (index * 37) % 256)

const isAsDocumented = ({ keyId, wrapped }: WrappedKey): boolean =>
  /^[A-Za-z0-9._-]{1,64}$/.test(keyId) && /^[\x20-\x7e]{1,447}$/.test(wrapped)

/** Every key ring. */
export const keyRingCases = casesOf<KeyRingSubject>('KeyRing', {
  'a wrapped data key is unwrapped unchanged, and each wrapping is another text of the documented form':
    async ({ ring }) => {
      const wrapped = [await right(ring.wrap(dataKey)), await right(ring.wrap(dataKey))]
      equal(wrapped.every(isAsDocumented), true)
      equal(new Set(wrapped.map((each) => each.wrapped)).size, 2)
      for (const each of wrapped) {
        equal(each.keyId, ring.currentKeyId)
        equal(Uint8Array.from(await right(ring.unwrap(each))), dataKey)
      }
    },
  'after a rotation the earlier keys still unwrap, and the new key wraps': async ({ ring, rotated }) => {
    const before = await right(ring.wrap(dataKey))
    equal(Uint8Array.from(await right(rotated.unwrap(before))), dataKey)
    const after = await right(rotated.wrap(dataKey))
    equal(after.keyId, rotated.currentKeyId)
    equal(after.keyId === before.keyId, false)
    equal((await left(ring.unwrap(after))).kind, 'unavailable')
  },
  'a missing key is unavailable, and a text that the key did not wrap is unexpected': async ({
    ring,
    other,
  }) => {
    const wrapped = await right(ring.wrap(dataKey))
    equal((await left(other.unwrap(wrapped))).kind, 'unavailable')
    const changed = `${wrapped.wrapped.startsWith('A') ? 'B' : 'A'}${wrapped.wrapped.slice(1)}`
    for (const text of [changed, 'AAAA', '?'])
      equal((await left(ring.unwrap({ ...wrapped, wrapped: text }))).kind, 'unexpected')
  },
})

const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const claims: AccessTokenClaims = {
  apiKeyId: 'ab12ab12ab12',
  organisation: 'ORG Ñ',
  scopes: ['read', 'post-import'],
  family: 'f'.repeat(64),
  issuedAt: instantOf(Date.parse('2025-09-01T10:00:00Z')),
  expiresAt: instantOf(Date.parse('2025-09-01T11:00:00Z')),
}

/** Every signer of access tokens. */
export const accessTokenCases = casesOf<AccessTokens>('AccessTokens', {
  'a token is verified with its claims until it expires at the given instant': async (tokens) => {
    const token = await right(tokens.sign(claims))
    equal(await right(tokens.verify(token, after(60))), { _tag: 'verified', claims })
    equal(await right(tokens.verify(token, claims.expiresAt)), { _tag: 'expired' })
    equal(await right(tokens.verify(token, after(86_400 * 400))), { _tag: 'expired' })
  },
  'any text that is not a token of this signer is invalid': async (tokens) => {
    const token = await right(tokens.sign(claims))
    const middle = Math.floor(token.length / 2)
    const changed = `${token.slice(0, middle)}${token[middle] === 'A' ? 'B' : 'A'}${token.slice(middle + 1)}`
    for (const text of ['', 'x', 'a.b.c', changed, `${token}x`, token.slice(1)])
      equal(await right(tokens.verify(text, after(60))), { _tag: 'invalid' }, `for ${text.length} characters`)
  },
  'a token has one text only: with any other last character it is invalid': async (tokens) => {
    const token = await right(tokens.sign(claims))
    const others = base64url.split('').filter((character) => !token.endsWith(character))
    const verified = await Promise.all(
      others.map((character) => right(tokens.verify(`${token.slice(0, -1)}${character}`, after(60)))),
    )
    equal(
      verified.map(({ _tag }) => _tag),
      others.map(() => 'invalid'),
    )
  },
})
