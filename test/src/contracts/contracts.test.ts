import {
  accessTokenCases,
  clockCases,
  platformAccountNumberCases,
  secretsCases,
  storeCases,
} from '@account-import/core/contract-tests'
import { randomPlatformAccountNumbers, systemClock, webCryptoSecrets } from '@account-import/core'
import { inMemoryAccessTokens } from '@account-import/core/in-memory'
import { joseAccessTokens, parseSigningKey } from '@account-import/adapter-access-tokens'
import test from 'ava'
import { randomBytes } from 'node:crypto'
import { registerBackends } from '../journeys/support/backends.js'

for (const backend of registerBackends())
  for (const { port, title, alone, run } of storeCases) {
    const register = alone ? test.serial : test
    register(`${port}: ${title} (${backend.name})`, (t) => t.notThrowsAsync(() => run(backend.stores())))
  }

for (const { port, title, run } of clockCases)
  test(`${port}: ${title} (system)`, (t) => t.notThrowsAsync(() => run(systemClock)))

for (const { port, title, run } of secretsCases)
  test(`${port}: ${title} (Web Crypto)`, (t) => t.notThrowsAsync(() => run(webCryptoSecrets)))

for (const { port, title, run } of platformAccountNumberCases)
  test(`${port}: ${title} (random)`, (t) => t.notThrowsAsync(() => run(randomPlatformAccountNumbers)))

for (const { port, title, run } of accessTokenCases) {
  test(`${port}: ${title} (in memory)`, (t) =>
    t.notThrowsAsync(() => run(inMemoryAccessTokens(webCryptoSecrets))))
  test(`${port}: ${title} (JWT)`, (t) => {
    const key = parseSigningKey(randomBytes(32).toString('base64'))
    return key === undefined
      ? t.fail('32 random bytes are a signing key')
      : t.notThrowsAsync(() => run(joseAccessTokens(key)))
  })
}
