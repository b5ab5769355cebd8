import type { ApiKeyRecord } from '@account-import/core'
import { plusSeconds } from '@account-import/core/testing'
import { answer } from '../support/answers.js'
import { answerClaimOf } from './support/answer-claim.js'
import { testDatabases } from './support/databases.js'
import { keyOf, now, stagingOf } from './support/imports.js'
import { waitingForLocks } from './support/waiting-for-locks.js'

const { onServers } = testDatabases()

const organisation = 'ACME'

const keyCalled = (id: string): ApiKeyRecord => ({
  id,
  organisation,
  name: undefined,
  secretHash: 'f'.repeat(64),
  scopes: [],
  createdAt: now(),
  expiresAt: undefined,
  revokedAt: undefined,
  lastUsedAt: undefined,
})

onServers(
  'a key that takes the place of another while all keys are revoked is revoked with them',
  async (t, { open }) => {
    const [holder, one, other] = [open(), open(), open()]
    await answer(
      holder.ports.organisations.create({
        code: organisation,
        name: 'Acme',
        createdAt: now(),
        disabledAt: undefined,
      }),
    )
    // Its place among the keys is before the one that it replaces: who revokes them has passed it by then.
    const [replacement, old] = [keyCalled('a'), keyCalled('b')]
    await answer(holder.ports.apiKeys.create(old))
    const answers = await holder.knex.transaction(async (trx) => {
      await trx('api_keys').where({ id: old.id }).forUpdate().first('id')
      const rotation = answer(one.ports.apiKeys.rotate(old.id, replacement, plusSeconds(now(), 60)))
      await waitingForLocks(holder, 1)
      const revocation = answer(other.ports.apiKeys.revokeAll(organisation, now()))
      await waitingForLocks(holder, 2)
      // Not awaited here: both wait for this transaction to end.
      return [Promise.all([rotation, revocation])]
    })
    t.deepEqual(await answers[0], [true, 2])
    for (const { id } of [old, replacement])
      t.not((await answer(holder.ports.apiKeys.find(id)))?.revokedAt, undefined, id)
  },
)

onServers(
  'an answer that comes while its account is being erased waits for that, and is not kept',
  async (t, { open }) => {
    const [eraser, server] = [open(), open()]
    const key = keyOf('A-1')
    await answer(server.ports.accountImports.stage([stagingOf('A-1')]))
    const claim = answerClaimOf('R-1')
    await answer(server.ports.keptAnswers.claim(claim))
    const kept = await eraser.knex.transaction(async (trx) => {
      await trx('account_imports')
        .where({ external_account_number: key.externalAccountNumber })
        .update({ state: 'skipped', skipped: 1, erased_at: '2026-01-01 00:00:00.000' })
      const keeping = server.ports.keptAnswers.keep({
        ...claim,
        answer: { status: 201, headers: {}, body: '{}' },
        account: key,
      })()
      await waitingForLocks(eraser, 1)
      return [keeping]
    })
    t.like(await kept[0], { right: 'account_erased' })
    t.deepEqual((await answer(server.ports.personalData.find(key)))?.answers, [])
  },
)
