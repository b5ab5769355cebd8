import { inMemoryKeyRing } from '@account-import/core/in-memory'
import { keyRingCases, storeCases, type KeyRingSubject } from '@account-import/core/contract-tests'
import test from 'ava'
import { registerEncryptedBackend } from '../journeys/support/backends.js'
import { newKey, ringOf } from '../support/key-rings.js'

const backend = registerEncryptedBackend(ringOf(newKey()))

for (const { port, title, alone, run } of storeCases) {
  const register = alone ? test.serial : test
  register(`${port}: ${title} (${backend.name})`, (t) => t.notThrowsAsync(() => run(backend.stores())))
}

const inMemory = (): KeyRingSubject => {
  const wrapped = new Map<string, Uint8Array>()
  return {
    ring: inMemoryKeyRing(['one'], wrapped),
    rotated: inMemoryKeyRing(['two', 'one'], wrapped),
    other: inMemoryKeyRing(['two'], wrapped),
  }
}

const secret = (): KeyRingSubject => {
  const [one, two] = [newKey(), newKey()]
  return { ring: ringOf(one), rotated: ringOf(two, one), other: ringOf(two) }
}

for (const { port, title, run } of keyRingCases) {
  test(`${port}: ${title} (in memory)`, (t) => t.notThrowsAsync(() => run(inMemory())))
  test(`${port}: ${title} (secret keys)`, (t) => t.notThrowsAsync(() => run(secret())))
}
