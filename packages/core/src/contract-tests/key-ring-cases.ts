import type { KeyRing, WrappedKey } from '../ports/secrets.js'
import { casesOf, equal, left, right } from './contract-case.js'

/** `rotated` has the keys of `ring` after another one; `other` has none of them. */
export type KeyRingSubject = Readonly<{ ring: KeyRing; rotated: KeyRing; other: KeyRing }>

const dataKey = Uint8Array.from({ length: 32 }, (_, index) => (index * 37) % 256)

const isAsDocumented = ({ keyId, wrapped }: WrappedKey): boolean =>
  /^[A-Za-z0-9._-]{1,64}$/.test(keyId) && /^[\x20-\x7e]{1,447}$/.test(wrapped)

/** Every key ring. */
export const keyRingCases = casesOf<KeyRingSubject>('KeyRing', {
  'what was wrapped is unwrapped as it was, and each time is another text of the documented form': async ({
    ring,
  }) => {
    const wrapped = [await right(ring.wrap(dataKey)), await right(ring.wrap(dataKey))]
    equal(wrapped.every(isAsDocumented), true)
    equal(new Set(wrapped.map((each) => each.wrapped)).size, 2)
    for (const each of wrapped) {
      equal(each.keyId, ring.currentKeyId)
      equal(Uint8Array.from(await right(ring.unwrap(each))), dataKey)
    }
  },
  'when a key is put before the others, these still unwrap, and the new one wraps': async ({
    ring,
    rotated,
  }) => {
    const before = await right(ring.wrap(dataKey))
    equal(Uint8Array.from(await right(rotated.unwrap(before))), dataKey)
    const after = await right(rotated.wrap(dataKey))
    equal(after.keyId, rotated.currentKeyId)
    equal(after.keyId === before.keyId, false)
    equal((await left(ring.unwrap(after))).kind, 'unavailable')
  },
  'without the key a data key is unavailable, and one that the key did not wrap is unexpected': async ({
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
