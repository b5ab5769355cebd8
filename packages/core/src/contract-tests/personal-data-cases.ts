import { erasedDetails } from '../domain/account.js'
import { E } from '../fp.js'
import type { StorePorts } from '../ports/index.js'
import {
  aClaim,
  after,
  aStaging,
  freshCode,
  freshKey,
  freshSupplier,
  keyOf,
  onLocked,
  sha256,
  start,
} from './builders.js'
import { casesOf, type ContractCase, equal, right } from './contract-case.js'
import { anEmail, claimedEmail, enqueued } from './email-builders.js'
import { aFullAccount } from './full-account.js'
import { createdFrom, keptAnswerOf } from './held-account.js'
import { payloadOf } from './payload-of.js'

const port = 'PersonalData'

const nothing = { payloads: 0, rows: 0, transactions: 0, emails: 0, answers: 0, runFailures: 0 }

/** Finding and removing personal data. */
export const personalDataCases: readonly ContractCase<StorePorts>[] = [
  ...casesOf<StorePorts>(port, {
    'an answer about an account that was never staged is found, and erased': async (ports) => {
      const key = await freshKey(ports)
      const { answer, again } = await keptAnswerOf(ports, key, '{}')
      const held = await right(ports.personalData.find(key))
      equal([held?.accountImport, held?.answers], [undefined, [{ ...answer, expiresAt: after(1000) }]])
      const erasure = await right(ports.personalData.erase(key, after(2)))
      equal(erasure, { _tag: 'erased', removed: { ...nothing, answers: 1 } })
      equal(await right(ports.idempotencyRecords.claim(again)), { _tag: 'claimed' })
    },
    'staged data of accounts that were created by the given time is removed, oldest first, and nothing else changes':
      async (ports) => {
        const supplier = await freshSupplier(ports)
        const { organisation, code: importSupplier } = supplier
        const other = keyOf(await freshSupplier(ports), '1')
        const [one, two, late] = [keyOf(supplier, 'b'), keyOf(supplier, 'a'), keyOf(supplier, 'c')]
        await createdFrom(ports, two, after(2))
        await createdFrom(ports, one, after(1))
        await createdFrom(ports, late, after(3.001))
        await createdFrom(ports, other, after(1))
        const [staged, skipped] = [keyOf(supplier, 'd'), keyOf(supplier, 'e')]
        await right(ports.accountImports.stage([aStaging(staged), aStaging(skipped)]))
        await right(ports.accountImports.setSkipped(skipped, true, start))
        const seen = () =>
          Promise.all([
            right(ports.accountImports.summary(organisation, importSupplier, after(9))),
            right(ports.accountImports.find(one)),
            right(
              ports.accountImports.page({
                organisation,
                importSupplier,
                list: 'all',
                after: undefined,
                limit: 9,
              }),
            ),
          ])
        const before = await seen()
        const due = { organisation, importSupplier, createdBy: after(3), at: after(9) }
        equal(await right(ports.personalData.removePayloads({ ...due, limit: 1 })), 1)
        equal((await right(ports.accountImports.staged([one])))[0], undefined)
        equal((await right(ports.accountImports.staged([two])))[0]?.version, 1)
        equal(await right(ports.personalData.removePayloads({ ...due, limit: 1000 })), 1)
        equal(await right(ports.personalData.removePayloads({ ...due, limit: 1000 })), 0)
        equal((await right(ports.accountImports.staged([two])))[0], undefined)
        for (const key of [late, other, staged, skipped])
          equal((await right(ports.accountImports.staged([key])))[0]?.version, 1)
        equal(await seen(), before)
        const held = await right(ports.personalData.find(one))
        equal([held?.payloadRemovedAt, held?.payload, held?.erasedAt], [after(9), undefined, undefined])
        const [again] = await right(ports.accountImports.stage([aStaging(one)]))
        equal(again?._tag, 'already_imported')
      },
    'one call removes several pages of staged data, up to the limit': async (ports) => {
      const supplier = await freshSupplier(ports)
      const numbers = Array.from({ length: 70 }, (_, index) => `N-${index}`)
      for (const number of numbers) await createdFrom(ports, keyOf(supplier, number), start)
      const { organisation, code: importSupplier } = supplier
      const due = { organisation, importSupplier, createdBy: start, at: after(1) }
      equal(await right(ports.personalData.removePayloads({ ...due, limit: 67 })), 67)
      equal(await right(ports.personalData.removePayloads({ ...due, limit: 67 })), 3)
    },
    'all data of an account is found: import, staged data, details, e-mail, kept answers': async (ports) => {
      const key = await freshKey(ports)
      const email = anEmail(key)
      const account = await createdFrom(ports, key, after(1), aFullAccount, email)
      const kept = await keptAnswerOf(ports, key, '{"line":"ñ"}')
      await keptAnswerOf(ports, { ...key, externalAccountNumber: 'other' }, '{}')
      equal(await right(ports.personalData.find(key)), {
        key,
        accountImport: await right(ports.accountImports.find(key)),
        firstStagedAt: after(1),
        stagedAt: after(1),
        payloadRemovedAt: undefined,
        erasedAt: undefined,
        payload: payloadOf(account),
        payloadHash: await sha256(payloadOf(account)),
        account,
        email: enqueued({ ...email, platformAccountNumber: account.platformAccountNumber }),
        answers: [{ ...kept.answer, expiresAt: after(1000) }],
        runFailures: [],
      })
      equal(await right(ports.personalData.find({ ...key, externalAccountNumber: 'nobody' })), undefined)
    },
    'an erased created account keeps the data for accounting, and nothing can be added to it': async (
      ports,
    ) => {
      const supplier = await freshSupplier(ports)
      const [key, beside] = [keyOf(supplier, 'erased'), keyOf(supplier, 'beside')]
      const email = anEmail(key)
      const account = await createdFrom(ports, key, after(1), aFullAccount, email)
      const other = await createdFrom(ports, beside, after(1), aFullAccount, anEmail(beside))
      const kept = await keptAnswerOf(ports, key, '{"line":"ñ"}')
      const keptBeside = await keptAnswerOf(ports, beside, '{}')
      const erasure = await right(ports.personalData.erase(key, after(5)))
      if (erasure._tag !== 'erased') throw new Error(`expected erased, not ${erasure._tag}`)
      const { rows, transactions, ...removed } = erasure.removed
      equal(removed, { payloads: 1, emails: 1, answers: 1, runFailures: 0 })
      equal([rows > 15, transactions > 1], [true, true])
      const held = await right(ports.personalData.find(key))
      equal(held?.account, { ...account, details: erasedDetails(account.details) })
      equal([held?.payload, held?.email, held?.answers], [undefined, undefined, []])
      equal([held?.payloadRemovedAt, held?.erasedAt], [after(5), after(5)])
      equal(held?.accountImport?.created?.platformAccountNumber, account.platformAccountNumber)
      equal(await right(ports.outbox.find(email.id)), undefined)
      equal(await right(ports.idempotencyRecords.claim(kept.again)), { _tag: 'claimed' })
      equal(
        await right(ports.unitOfWork.run(key.organisation, ({ accounts }) => accounts.lock(key))),
        undefined,
      )
      const [again] = await right(ports.accountImports.stage([aStaging(key)]))
      equal(again?._tag, 'already_imported')
      equal(await right(ports.personalData.erase(key, after(6))), { _tag: 'erased', removed: nothing })
      equal(await right(ports.accounts.find(beside)), other)
      equal((await right(ports.idempotencyRecords.claim(keptBeside.again)))._tag, 'answered')
      await right(onLocked(ports, beside, async () => E.right(undefined)))
    },
    'an import that is erased before its creation counts as never staged, and is skipped': async (ports) => {
      const key = await freshKey(ports)
      const { organisation, importSupplier } = key
      const token = freshCode('token')
      await right(ports.accountImports.stage([aStaging(key)]))
      await right(ports.accountImports.claim([aClaim(key, token)]))
      const failure = { code: 'error', at: after(1) }
      await right(ports.accountImports.release([{ key, token, failure }]))
      const erasure = await right(ports.personalData.erase(key, after(2)))
      equal(erasure, { _tag: 'erased', removed: { ...nothing, payloads: 1 } })
      equal(await right(ports.accountImports.find(key)), {
        key,
        stagedVersion: 0,
        skipped: true,
        claim: undefined,
        attempts: 1,
        latestFailure: { code: 'error', occurredAt: after(1) },
        created: undefined,
      })
      equal((await right(ports.accountImports.staged([key])))[0], undefined)
      const page = { organisation, importSupplier, list: 'all' as const, after: undefined, limit: 9 }
      equal(await right(ports.accountImports.page(page)), [])
      equal(await right(ports.accountImports.stage([aStaging(key)])), [{ _tag: 'marked_to_skip' }])
      await right(ports.accountImports.setSkipped(key, false, after(3)))
      const [unstaged] = await right(ports.accountImports.claim([aClaim(key, freshCode('t'), after(3))]))
      equal(unstaged, { _tag: 'not_staged' })
      equal((await right(ports.personalData.find(key)))?.erasedAt, after(2))
      const account = await createdFrom(ports, key, after(4))
      const held = await right(ports.personalData.find(key))
      equal([held?.firstStagedAt, held?.erasedAt], [after(4), after(2)])
      await right(onLocked(ports, key, async () => E.right(undefined)))
      equal(await right(ports.accounts.find(key)), account)
    },
    'removals are recorded with their actor and the hash of the removed data': async (ports) => {
      const key = await freshKey(ports)
      const { organisation, importSupplier, externalAccountNumber } = key
      await createdFrom(ports, key, start)
      const by = { who: 'operator María', requestId: 'r-1' }
      const due = { organisation, importSupplier, createdBy: start, at: after(1), limit: 10 }
      await right(ports.personalData.removePayloads({ ...due, by: { who: 'service' } }))
      await right(ports.personalData.erase(key, after(2), by))
      equal(
        (await right(ports.auditTrail.events({ organisation }, undefined, 100)))
          .slice(-2)
          .map(({ entry }) => [
            entry.what,
            entry.by.who,
            entry.externalAccountNumber,
            entry.before?.length,
            entry.after,
          ]),
        [
          ['staged_data_removed', 'service', externalAccountNumber, 64, undefined],
          ['erased', 'operator María', externalAccountNumber, 64, undefined],
        ],
      )
    },
  }),
  ...casesOf<StorePorts>(
    port,
    {
      'an account that is being created, whose e-mail is being sent, or that is unknown is not erased':
        async (ports) => {
          const supplier = await freshSupplier(ports)
          const [busy, sending] = [keyOf(supplier, 'busy'), keyOf(supplier, 'sending')]
          await right(ports.accountImports.stage([aStaging(busy)]))
          await right(ports.accountImports.claim([aClaim(busy, freshCode('token'))]))
          equal(await right(ports.personalData.erase(busy, after(59))), { _tag: 'in_progress' })
          equal((await right(ports.accountImports.staged([busy])))[0]?.version, 1)
          equal((await right(ports.personalData.erase(busy, after(60))))._tag, 'erased')
          const email = anEmail(sending)
          const account = await createdFrom(ports, sending, start, aFullAccount, email)
          await claimedEmail(ports, email, after(1))
          equal(await right(ports.personalData.erase(sending, after(2))), { _tag: 'email_being_sent' })
          equal(await right(ports.accounts.find(sending)), account)
          const nobody = keyOf(supplier, 'nobody')
          equal(await right(ports.personalData.erase(nobody, after(2))), { _tag: 'unknown' })
        },
    },
    'alone',
  ),
]
