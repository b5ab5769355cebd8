import { crc32 } from 'node:zlib'
import { scopes, type Scope } from '@account-import/core'
import { toWireDatetime } from '@account-import/core/adapter-kit'
import { plusSeconds } from '@account-import/core/testing'
import { answer } from '../../support/answers.js'
import type { Journey } from '../support/journey.js'
import { inShort } from '../../support/results.js'
import { gasAccount } from '../../support/samples.js'

const scopesHold: Journey = {
  title: 'a key with one scope may do that and nothing else',
  run: async (t, open) => {
    const { operator, organisation, supplier, team, client, clientWith } = await open()
    await client.stageAccount(gasAccount(supplier, 'A-1'))
    const request = {
      external_account_number: 'A-1',
      import_supplier_code: supplier,
      operations_team_name: team,
    }
    for (const scope of scopes) {
      const { apiKey } = await answer(operator.createApiKey({ organisation, scopes: [scope] }))
      const limited = clientWith(apiKey)
      const calls: readonly (readonly [Scope, string, string])[] = [
        ['validate', inShort(await limited.validateAccount(gasAccount(supplier, 'A-1'))), '200'],
        ['stage', inShort(await limited.stageAccount(gasAccount(supplier, 'A-1'))), '200'],
        [
          'process',
          inShort(await limited.processAccount({ ...request, dry_run: true })),
          '400 dry_run_succeeded',
        ],
        ['read', inShort(await limited.transferStatus(supplier, 'A-1')), '200'],
        ['read', inShort(await limited.listAccountImports({ importSupplier: supplier, list: 'all' })), '200'],
      ]
      for (const [needed, answered, allowed] of calls)
        t.is(answered, needed === scope ? allowed : '403 permission_denied', `${needed} with ${scope}`)
    }
  },
}

const statusPath = (supplier: string): string => `/v1/data-import/account-transfer-status/${supplier}/A-1/`

const codeIn = (text: string): unknown => (JSON.parse(text) as { code?: unknown }).code

const expiry: Journey = {
  title: 'a key that expires takes its tokens with it, to the second',
  run: async (t, open) => {
    const { operator, organisation, supplier, clock, raw } = await open()
    const expiresAt = plusSeconds(clock.now(), 600)
    const { apiKey } = await answer(operator.createApiKey({ organisation, expiresAt }))
    const obtained = await raw.obtain({ apiKey })
    if (typeof obtained === 'string') return t.fail(obtained)
    t.is(obtained.expiresAt, toWireDatetime(expiresAt))
    t.is(obtained.refreshExpiresAt, toWireDatetime(expiresAt))
    // The clock goes on by itself: on a machine under load, the request before the end may take a minute.
    clock.advance(500)
    t.is((await raw.get(statusPath(supplier), obtained.token)).status, 404)
    clock.advance(101)
    const late = await raw.get(statusPath(supplier), obtained.token)
    t.deepEqual([late.status, codeIn(late.text)], [401, 'token_expired'])
    t.is(late.headers['www-authenticate'], 'Token')
    t.is(await raw.obtain({ apiKey }), 'AUTHENTICATION_FAILED')
    t.is(await raw.obtain({ refreshToken: obtained.refreshToken }), 'AUTHENTICATION_FAILED')
  },
}

const revocation: Journey = {
  title: 'a revoked key gives no token at once, and its tokens stop working within 60 seconds',
  run: async (t, open) => {
    const { operator, organisation, supplier, clock, raw } = await open()
    const { apiKey, record } = await answer(operator.createApiKey({ organisation }))
    const obtained = await raw.obtain({ apiKey })
    if (typeof obtained === 'string') return t.fail(obtained)
    t.is((await raw.get(statusPath(supplier), obtained.token)).status, 404)
    await answer(operator.revokeApiKey(record.id))
    t.is(await raw.obtain({ apiKey }), 'AUTHENTICATION_FAILED')
    t.is(await raw.obtain({ refreshToken: obtained.refreshToken }), 'AUTHENTICATION_FAILED')
    clock.advance(60)
    const late = await raw.get(statusPath(supplier), obtained.token)
    t.deepEqual([late.status, codeIn(late.text)], [401, 'authentication_failed'])
  },
}

const rotation: Journey = {
  title:
    'a refresh token works once, and its successor; used 10 times at once it works once, and no successor does',
  run: async (t, open) => {
    const { supplier, clock, raw, apiKey } = await open()
    const first = await raw.obtain({ apiKey })
    if (typeof first === 'string') return t.fail(first)
    clock.advance(3601)
    t.is((await raw.get(statusPath(supplier), first.token)).status, 401)
    const second = await raw.obtain({ refreshToken: first.refreshToken })
    if (typeof second === 'string') return t.fail(second)
    t.is((await raw.get(statusPath(supplier), second.token)).status, 404)
    const uses = await Promise.all(
      Array.from({ length: 10 }, () => raw.obtain({ refreshToken: second.refreshToken })),
    )
    const [next, ...others] = uses.filter((use) => typeof use !== 'string')
    if (next === undefined) return t.fail('no use gave a token')
    t.deepEqual(others, [], 'more than one use gave a token')
    t.is((await raw.get(statusPath(supplier), next.token)).status, 404)
    clock.advance(61)
    t.is(await raw.obtain({ refreshToken: next.refreshToken }), 'AUTHENTICATION_FAILED')
    const again = await raw.obtain({ apiKey })
    if (typeof again === 'string') return t.fail(again)
    clock.advance(7 * 86_400 + 1)
    t.is(await raw.obtain({ refreshToken: again.refreshToken }), 'AUTHENTICATION_FAILED')
  },
}

const oneCharacterOff = (apiKey: string): string => {
  const at = apiKey.length - 20
  return apiKey.slice(0, at) + (apiKey[at] === 'A' ? 'B' : 'A') + apiKey.slice(at + 1)
}

const attempts: Journey = {
  title:
    'after ten failed attempts in a minute from one address no more is said of wrong keys; the right key works',
  run: async (t, open) => {
    const { supplier, clock, raw, apiKey, client, clientWith } = await open()
    const wrong = oneCharacterOff(apiKey)
    for (let attempt = 0; attempt < 10; attempt += 1)
      t.is(await raw.obtain({ apiKey: wrong }), 'AUTHENTICATION_FAILED')
    t.is(await raw.obtain({ apiKey: wrong }), 'TOO_MANY_ATTEMPTS')
    t.is(inShort(await clientWith(wrong).transferStatus(supplier, 'A-1')), '429 throttled')
    t.not(typeof (await raw.obtain({ apiKey })), 'string')
    t.is(inShort(await client.transferStatus(supplier, 'A-1')), '404 import_process_does_not_exist')
    clock.advance(61)
    t.is(await raw.obtain({ apiKey: wrong }), 'AUTHENTICATION_FAILED')
  },
}

/** A key of the same id with another secret: well formed, so that only its secret is wrong. */
const withWrongSecret = (apiKey: string): string => {
  const text = apiKey.slice(0, -51) + 'x'.repeat(43)
  return text + crc32(text).toString(16).padStart(8, '0')
}

const attemptsByKey: Journey = {
  title: 'five forged keys with the id of a real one keep neither that nor any other key from working',
  run: async (t, open) => {
    const { raw, apiKey, operator, organisation } = await open()
    const other = await answer(operator.createApiKey({ organisation }))
    for (let attempt = 0; attempt < 5; attempt += 1)
      t.is(await raw.obtain({ apiKey: withWrongSecret(apiKey) }), 'AUTHENTICATION_FAILED')
    t.is(await raw.obtain({ apiKey: withWrongSecret(apiKey) }), 'TOO_MANY_ATTEMPTS')
    for (const right of [apiKey, other.apiKey]) t.not(typeof (await raw.obtain({ apiKey: right })), 'string')
  },
}

export const keyJourneys: readonly Journey[] = [
  scopesHold,
  expiry,
  revocation,
  rotation,
  attempts,
  attemptsByKey,
]
