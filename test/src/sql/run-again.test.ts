import { builtInSettings, type RefreshTokenFamily, type StorePorts } from '@account-import/core'
import { plusSeconds } from '@account-import/core/testing'
import { randomUUID } from 'node:crypto'
import { answer } from '../support/answers.js'
import { answerClaimOf } from './support/answer-claim.js'
import { busyOnce } from './support/busy-once.js'
import { testDatabases } from './support/databases.js'
import { now, stagingOf } from './support/imports.js'

const { onSqlite } = testDatabases()

const organisation = 'ACME'
const settings = builtInSettings

const aSupplier = () =>
  ({ organisation, code: randomUUID().slice(0, 12), status: 'ongoing', settings }) as const

const aFamily = (secondsToLive = 60): RefreshTokenFamily => ({
  hash: randomUUID(),
  apiKeyId: 'key',
  secretHash: randomUUID(),
  expiresAt: plusSeconds(now(), secondsToLive),
  endsAt: plusSeconds(now(), 1000),
})

const anApiKey = () => ({
  id: randomUUID().slice(0, 12),
  organisation,
  name: undefined,
  secretHash: 'f'.repeat(64),
  scopes: [],
  createdAt: now(),
  expiresAt: undefined,
  revokedAt: undefined,
  lastUsedAt: undefined,
})

/** An operation with everything it needs made ready, and what it has to answer. */
type Prepared = Readonly<{ run(): Promise<unknown>; expected: unknown }>
type Prepare = (ports: StorePorts) => Promise<Prepared>

const operations: Readonly<Record<string, Prepare>> = {
  'a refresh token is used': async ({ refreshTokens }) => {
    const family = aFamily()
    const next = { secretHash: randomUUID(), expiresAt: plusSeconds(now(), 90) }
    await answer(refreshTokens.begin(family, now(), 10))
    return {
      run: () => answer(refreshTokens.follow(family.hash, family.secretHash, next)),
      expected: true,
    }
  },
  'a family of refresh tokens begins': async ({ refreshTokens }) => {
    const family = aFamily()
    await answer(refreshTokens.begin(aFamily(-60), plusSeconds(now(), -5000), 10))
    const run = async () => {
      await answer(refreshTokens.begin(family, now(), 1))
      return answer(refreshTokens.find(family.hash))
    }
    return { run, expected: family }
  },
  'a failed attempt is counted': async ({ failedAttempts }) => ({
    run: () => answer(failedAttempts.record(randomUUID(), now())),
    expected: 1,
  }),
  'a supplier is created': async ({ importSuppliers }) => ({
    run: () => answer(importSuppliers.create(aSupplier())),
    expected: 'created',
  }),
  'settings are saved': async ({ importSuppliers }) => {
    const { code } = aSupplier()
    await answer(importSuppliers.create({ organisation, code, status: 'ongoing', settings }))
    const changed = { ...settings, documentRoot: 'in' }
    return { run: () => answer(importSuppliers.saveSettings(code, settings, changed)), expected: 'saved' }
  },
  'an API key is created': async ({ apiKeys }) => ({
    run: () => answer(apiKeys.create(anApiKey())),
    expected: 'created',
  }),
  'an API key is rotated': async ({ apiKeys }) => {
    const old = anApiKey()
    await answer(apiKeys.create(old))
    return { run: () => answer(apiKeys.rotate(old.id, anApiKey(), now())), expected: true }
  },
  'all keys of an organisation are revoked': async ({ apiKeys, organisations }) => {
    const code = randomUUID()
    await answer(organisations.create({ code, name: 'Other', createdAt: now(), disabledAt: undefined }))
    await answer(apiKeys.create({ ...anApiKey(), organisation: code }))
    return { run: () => answer(apiKeys.revokeAll(code, now())), expected: 1 }
  },
  'an organisation is created': async ({ organisations }) => {
    const made = { code: randomUUID(), name: 'Acme', createdAt: now(), disabledAt: undefined }
    return { run: () => answer(organisations.create(made)), expected: 'created' }
  },
  'a team is created': async ({ operationsTeams }) => ({
    run: () => answer(operationsTeams.create(randomUUID())),
    expected: 'created',
  }),
  'a team is bound': async ({ operationsTeams }) => {
    const name = randomUUID()
    await answer(operationsTeams.create(name))
    return { run: () => answer(operationsTeams.bind(name, organisation)), expected: 'bound' }
  },
  'an import is marked to be skipped': async ({ accountImports }) => {
    const { key } = stagingOf(randomUUID())
    return { run: () => answer(accountImports.setSkipped(key, true, now())), expected: 'changed' }
  },
  'an answer is kept': async ({ keptAnswers }) => {
    const claim = answerClaimOf(randomUUID())
    const body = { status: 201, headers: {}, body: '{}' }
    const run = async () => {
      await answer(keptAnswers.claim(claim))
      await answer(keptAnswers.keep({ ...claim, answer: body }))
      return answer(keptAnswers.claim(answerClaimOf(claim.key.request)))
    }
    return { run, expected: { _tag: 'answered', answer: body } }
  },
  'an account is staged': async ({ accountImports }) => ({
    run: () => answer(accountImports.stage([stagingOf(randomUUID())])),
    expected: [{ _tag: 'created', version: 1 }],
  }),
}

for (const [title, prepare] of Object.entries(operations))
  onSqlite(`${title} the same whichever of its statements has to be run again`, async (t, { open }) => {
    const opened = open()
    await answer(
      opened.ports.organisations.create({
        code: organisation,
        name: 'Acme',
        createdAt: now(),
        disabledAt: undefined,
      }),
    )
    let nth = 1
    for (let reached = true; reached; nth += 1) {
      const { run, expected } = await prepare(opened.ports)
      const busy = await busyOnce(opened, nth)
      t.deepEqual(await run(), expected, `statement ${nth}`)
      busy.end()
      reached = busy.reached()
    }
    t.true(nth > 2 && opened.retries.length >= nth - 2, `${opened.retries.length} retries`)
  })
