import { writeProbe } from '@account-import/adapter-sql'
import { type AuditEntry, type Instant, type KeyUse, type RefreshTokenFamily } from '@account-import/core'
import { plusSeconds } from '@account-import/core/testing'
import { randomUUID } from 'node:crypto'
import { answer, failure } from '../support/answers.js'
import { apiKeyOf, createAcme } from './support/acme.js'
import { answerClaimOf } from './support/answer-claim.js'
import { testDatabases, type Opened } from './support/databases.js'
import { keyOf, now, stagingOf } from './support/imports.js'
import { rowsRead } from './support/rows-read.js'
import { statementsOf } from './support/statements-of.js'
import { waitingForLocks } from './support/waiting-for-locks.js'

const { onEach, onServers, onMariaDb } = testDatabases()

onEach(
  'a health check leaves one row, which no other process writes, and removes expired ones',
  async (t, { open }) => {
    const { knex } = open()
    const expired = {
      subject: 'failed:a',
      begins_at: '2020-01-01 00:00:00.000',
      expires_at: '2020-01-01 00:01:00.000',
    }
    await knex('rate_limits').insert({ ...expired, used: 1 })
    for (const probe of [writeProbe(knex), writeProbe(knex)]) await probe()
    const subjects = (await knex('rate_limits').pluck('subject')) as string[]
    t.is(new Set(subjects).size, 2)
    t.true(subjects.every((subject) => subject.startsWith('health:')))
  },
)

onEach(
  'old failures leave the table as new ones arrive, and those of other limits stay',
  async (t, { open }) => {
    const { knex, ports } = open()
    const begin = now()
    for (let index = 0; index < 30; index += 1)
      await answer(ports.failedAttempts.record(`192.0.2.${index}`, begin))
    const other = { subject: 'another limit', begins_at: '2020-01-01 00:00:00.000', used: 5 }
    await knex('rate_limits').insert({ ...other, expires_at: '2999-01-01 00:00:00.000' })
    const later = plusSeconds(begin, 61)
    for (const left of [12, 2]) {
      await answer(ports.failedAttempts.record('198.51.100.1', later))
      const rows = (await knex('rate_limits').pluck('subject')) as string[]
      t.is(rows.length, left)
      t.true(rows.includes('another limit'))
    }
  },
)

const most = 1000

const familyUntil = (expiresAt: Instant, apiKeyId: string = randomUUID()): RefreshTokenFamily => ({
  hash: randomUUID(),
  apiKeyId,
  secretHash: randomUUID(),
  expiresAt,
  endsAt: plusSeconds(expiresAt, 1000),
})

const rowsOf = async ({ knex }: Opened, table: string): Promise<number> =>
  Number(((await knex(table).count({ count: '*' })) as { count: number }[])[0]?.count)

const beginFamily = ({ ports }: Opened, family: RefreshTokenFamily, at = now()): Promise<void> =>
  answer(ports.refreshTokens.begin(family, at, most))

/** This number of families whose latest token expired long ago without a use. */
const leaveEnded = async (opened: Opened, count: number): Promise<void> => {
  for (let index = 0; index < count; index += 1)
    await beginFamily(opened, familyUntil(plusSeconds(now(), -1000 - index)), plusSeconds(now(), -5000))
}

onEach('ended families are removed a few at a time, also without uses', async (t, { open }) => {
  const opened = open()
  await leaveEnded(opened, 50)
  for (const left of [31, 12, 3, 4]) {
    await beginFamily(opened, familyUntil(plusSeconds(now(), 60)))
    t.is(await rowsOf(opened, 'refresh_tokens'), left)
  }
})

onMariaDb('ended families are found by their index, and those of a key by another', async (t, { open }) => {
  const opened = open()
  await leaveEnded(opened, 50)
  for (let index = 0; index < 200; index += 1)
    await beginFamily(opened, familyUntil(plusSeconds(now(), 60), `key ${index % 10}`))
  const planOf = async (select: string): Promise<Readonly<{ key: string; Extra: string }>> =>
    (await opened.knex.raw(`EXPLAIN SELECT hash FROM refresh_tokens ${select}`))[0][0]
  const ended = await planOf('WHERE expires_at < UTC_TIMESTAMP() ORDER BY expires_at LIMIT 20')
  t.is(ended.key, 'refresh_tokens_by_end')
  t.notRegex(String(ended.Extra), /filesort/)
  const ofKey = await planOf("WHERE api_key_id = 'key 1' AND NOT hash = 'x' ORDER BY ends_at DESC LIMIT 119")
  t.is(ofKey.key, 'refresh_tokens_by_key')
  t.notRegex(String(ofKey.Extra), /filesort/)
})

onMariaDb('concurrent uses and beginnings with many ended families all succeed', async (t, { open }) => {
  const opened = open()
  await leaveEnded(opened, 300)
  const families = Array.from({ length: 60 }, () => familyUntil(plusSeconds(now(), 60), 'key'))
  await Promise.all(families.map((family) => beginFamily(opened, family)))
  const next = { secretHash: randomUUID(), expiresAt: plusSeconds(now(), 60) }
  const uses = families.map(({ hash, secretHash }) =>
    answer(opened.ports.refreshTokens.follow(hash, secretHash, next)),
  )
  t.deepEqual(await Promise.all(uses), Array<boolean>(60).fill(true))
})

const useOf = (apiKeyId: string): KeyUse => {
  const network = '192.0.2.1'
  const entry: AuditEntry = {
    organisation,
    at: now(),
    what: 'logged_in',
    by: { who: 'key 1' },
    subject: network,
  }
  return { apiKeyId, network, entry, ifNew: { ...entry, what: 'new_address' } }
}

onEach('the first use from a network is stored together with its audit event', async (t, { open }) => {
  const { knex, ports } = open()
  await knex.schema.renameTable('audit_unsealed', 'away')
  await failure(ports.auditTrail.recordUse(useOf('1')))
  await knex.schema.renameTable('away', 'audit_unsealed')
  await answer(ports.auditTrail.recordUse(useOf('1')))
  const entries = await answer(ports.auditTrail.events({ organisation }, undefined, 10))
  t.deepEqual(entries.map(({ entry: { what } }) => what).toSorted(), ['logged_in', 'new_address'])
})

onEach(
  'a use from a known network costs two statements, and one without an audit event',
  async (t, { open }) => {
    const opened = open()
    const { auditTrail } = opened.ports
    await answer(auditTrail.recordUse(useOf('1')))
    const sent = await statementsOf(opened, () => answer(auditTrail.recordUse(useOf('1'))))
    t.deepEqual(sent, ['SELECT', 'INSERT'])
    const silent = { ...useOf('1'), entry: undefined }
    t.deepEqual(await statementsOf(opened, () => answer(auditTrail.recordUse(silent))), ['SELECT'])
  },
)

const begin = now()

/** Answers that expire one second after the other, of two organisations. */
const fill = async ({ knex }: Opened, count: number, expiresIn: number): Promise<void> => {
  for (let start = 0; start < count; start += 500)
    await knex('idempotency_records').insert(
      Array.from({ length: 500 }, (_, offset) => ({
        organisation: offset % 2 === 0 ? 'ACME' : 'OTHER',
        request: randomUUID(),
        content: 'c',
        claim_token: 't',
        is_done: 0,
        claim_ends_at: '2026-01-01 00:00:00.000',
        expires_at: plusSeconds(begin, expiresIn + start + offset)
          .replace('T', ' ')
          .replace('Z', ''),
        status: 201,
        headers: '{}',
        body: '{}',
      })),
    )
}

onEach('a first request with a key costs an insert and an update', async (t, { open }) => {
  const opened = open()
  const { idempotencyRecords } = opened.ports
  await answer(idempotencyRecords.claim(answerClaimOf('R-1')))
  const claim = answerClaimOf('R-2')
  const { key, token } = claim
  const sent = await statementsOf(opened, async () => {
    await answer(idempotencyRecords.claim(claim))
    const body = { status: 201, headers: {}, body: '{}' }
    await answer(idempotencyRecords.keep({ key, token, answer: body, expiresAt: plusSeconds(begin, 1) }))
  })
  t.deepEqual(sent, ['INSERT', 'UPDATE'])
})

onEach(
  'stores of several servers remove all expired records concurrently, each once',
  async (t, { open }) => {
    const opened = [open(), open(), open()]
    const [first] = opened
    if (first === undefined) return t.fail('there are three')
    await fill(first, 2000, -10_000)
    await fill(first, 500, 1000)
    const forgetAll = async ({ ports }: Opened): Promise<number> => {
      let all = 0
      for (let forgotten = 100; forgotten > 0; all += forgotten)
        forgotten = await answer(ports.idempotencyRecords.forget(begin, 100))
      return all
    }
    const counts = await Promise.all(opened.map(forgetAll))
    t.is(
      counts.reduce((sum, count) => sum + count, 0),
      2000,
    )
    t.is(await rowsOf(first, 'idempotency_records'), 500)
  },
)

onMariaDb('forgetting reads no more rows than it removes, for any number', async (t, { open }) => {
  const opened = open({ maxConnections: 1 })
  await fill(opened, 20_000, 1000)
  await fill(opened, 500, -10_000)
  const { result, rows } = await rowsRead(opened.knex, () =>
    answer(opened.ports.idempotencyRecords.forget(begin, 200)),
  )
  t.is(result, 200)
  t.true(rows <= 1000, `${rows} rows`)
})

const organisation = 'ACME'

onServers(
  'a key that replaces another during the revocation of all keys is revoked with them',
  async (t, { open }) => {
    const [holder, one, other] = [open(), open(), open()]
    await createAcme(holder.ports)
    // Its place among the keys is before the one that it replaces, which the revocation has passed by then.
    const [replacement, old] = [apiKeyOf('a'), apiKeyOf('b')]
    await answer(holder.ports.apiKeys.create(old))
    const { both } = await holder.knex.transaction(async (trx) => {
      await trx('api_keys').where({ id: old.id }).forUpdate().first('id')
      const rotation = answer(one.ports.apiKeys.rotate(old.id, replacement, plusSeconds(now(), 60)))
      await waitingForLocks(holder, 1)
      const revocation = answer(other.ports.apiKeys.revokeAll(organisation, now()))
      await waitingForLocks(holder, 2)
      // Not awaited here: both wait for this transaction to end.
      return { both: Promise.all([rotation, revocation]) }
    })
    const [isRotated, revoked] = await both
    // A rotation that waits too long begins again, and then the revocation is first.
    t.is(revoked, isRotated ? 2 : 1)
    const listed = await answer(holder.ports.apiKeys.list())
    t.is(listed.length, revoked)
    for (const { id, revokedAt } of listed) t.not(revokedAt, undefined, id)
  },
)

onServers(
  'keeping an answer waits for an erasure of its account in progress, and keeps nothing',
  async (t, { open }) => {
    const [eraser, server] = [open(), open()]
    const key = keyOf('A-1')
    await answer(server.ports.accountImports.stage([stagingOf('A-1')]))
    const claim = answerClaimOf('R-1')
    await answer(server.ports.idempotencyRecords.claim(claim))
    const kept = await eraser.knex.transaction(async (trx) => {
      await trx('account_imports')
        .where({ external_account_number: key.externalAccountNumber })
        .update({ state: 'skipped', skipped: 1, erased_at: '2026-01-01 00:00:00.000' })
      const keeping = server.ports.idempotencyRecords.keep({
        ...claim,
        answer: { status: 201, headers: {}, body: '{}' },
        account: key,
      })
      await waitingForLocks(eraser, 1)
      return [keeping]
    })
    t.like(await kept[0], { right: 'account_erased' })
    t.deepEqual((await answer(server.ports.personalData.find(key)))?.answers, [])
  },
)
