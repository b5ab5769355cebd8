import { E } from '../fp.js'
import type { AnswerClaim, AnswerKey, KeptAnswer } from '../ports/idempotency-records.js'
import type { StorePorts } from '../ports/index.js'
import { after, aStaging, freshCode, freshSupplier, keyOf } from './builders.js'
import { casesOf, type ContractCase, equal, right } from './contract-case.js'
import { claimedRequest, createdFrom } from './held-account.js'

const port = 'IdempotencyRecords'

const digest = (letter: string): string => letter.repeat(64)

const aKey = (): AnswerKey => ({ organisation: freshCode('ORG'), request: freshCode('r').padEnd(64, '0') })

/** A claim at `second` after the start that lasts a minute, of a record that expires after 1000 seconds. */
const aClaim = (key: AnswerKey, second = 0, changes: Partial<AnswerClaim> = {}): AnswerClaim => ({
  key,
  content: digest('a'),
  token: freshCode('token'),
  at: after(second),
  endsAt: after(second + 60),
  expiresAt: after(second + 1000),
  ...changes,
})

const anAnswer = (body = '{}'): KeptAnswer => ({ status: 201, headers: {}, body })

const claimed = { _tag: 'claimed' }
const inProgress = { _tag: 'in_progress' }
const otherContent = { _tag: 'other_content' }

/** Claims the key and keeps the answer until second 1000. */
const answered = async (
  { idempotencyRecords }: StorePorts,
  key: AnswerKey,
  answer: KeptAnswer,
  second = 0,
): Promise<void> => {
  const { token, ...claim } = aClaim(key, second)
  equal(await right(idempotencyRecords.claim({ ...claim, token })), claimed)
  equal(await right(idempotencyRecords.keep({ key, token, answer, expiresAt: after(1000) })), 'kept')
}

/** Idempotency records. */
export const idempotencyRecordCases: readonly ContractCase<StorePorts>[] = [
  ...casesOf<StorePorts>(
    port,
    {
      'an answer is returned unchanged until it expires, and then its key is free': async (ports) => {
        const { idempotencyRecords } = ports
        const headers = { 'Import-Warnings': '"a.0";code="b"', 'Import-Warnings-Total': '1' }
        const bodies = ['', '{"name":"José 😀 \\u0000 ñ","line":"a\\nb"} ', `"${'é'.repeat(1_000_000)}"`]
        for (const body of bodies) {
          const key = aKey()
          const answer: KeptAnswer = { status: 400, headers, body }
          await answered(ports, key, answer)
          for (const second of [1, 61, 999.999])
            equal(await right(idempotencyRecords.claim(aClaim(key, second))), { _tag: 'answered', answer })
          const other = aClaim(key, 1000, { content: digest('b') })
          equal(await right(idempotencyRecords.claim(other)), claimed)
          equal(await right(idempotencyRecords.claim(aClaim(key, 1001))), otherContent)
        }
      },
    },
    'alone',
  ),
  ...casesOf<StorePorts>(port, {
    'a key is bound to its first content, whether in progress, released or answered': async (ports) => {
      const { idempotencyRecords } = ports
      const key = aKey()
      const first = aClaim(key)
      for (const claim of [first, first]) equal(await right(idempotencyRecords.claim(claim)), claimed)
      equal(await right(idempotencyRecords.claim(aClaim(key, 1))), inProgress)
      const other = (second: number) =>
        idempotencyRecords.claim(aClaim(key, second, { content: digest('A') }))
      for (const second of [1, 60, 999]) equal(await right(other(second)), otherContent)
      await right(idempotencyRecords.release({ ...first, at: after(2) }))
      equal(await right(other(3)), otherContent)
      await answered(ports, key, anAnswer(), 3)
      equal(await right(other(4)), otherContent)
    },
  }),
  ...casesOf<StorePorts>(
    port,
    {
      'one of 20 concurrent claims is taken, and again one after it has ended without an answer': async ({
        idempotencyRecords,
      }) => {
        const key = aKey()
        for (const second of [0, 60, 2000]) {
          const claims = Array.from({ length: 20 }, () =>
            right(idempotencyRecords.claim(aClaim(key, second))),
          )
          const tags = (await Promise.all(claims)).map(({ _tag }) => _tag).sort()
          equal(tags, ['claimed', ...Array<string>(19).fill('in_progress')])
        }
      },
    },
    'alone',
  ),
  ...casesOf<StorePorts>(port, {
    'the owner of a claim that was taken over keeps nothing, and an answer is never replaced': async ({
      idempotencyRecords,
    }) => {
      const key = aKey()
      const [late, next] = [aClaim(key), aClaim(key, 60)]
      for (const claim of [late, next]) equal(await right(idempotencyRecords.claim(claim)), claimed)
      const keep = ({ token }: AnswerClaim, body: string) =>
        right(idempotencyRecords.keep({ key, token, answer: anAnswer(body), expiresAt: after(1000) }))
      equal(await keep(late, 'late'), 'claim_lost')
      await right(idempotencyRecords.release({ ...late, at: after(61) }))
      equal(await right(idempotencyRecords.claim(aClaim(key, 62))), inProgress)
      equal(await keep(next, 'next'), 'kept')
      for (const claim of [late, next]) {
        equal(await keep(claim, 'again'), 'claim_lost')
        await right(idempotencyRecords.release({ ...claim, at: after(63) }))
      }
      const answer = anAnswer('next')
      equal(await right(idempotencyRecords.claim(aClaim(key, 64))), { _tag: 'answered', answer })
    },
    'an expired claim that was not taken over can be answered': async ({ idempotencyRecords }) => {
      const key = aKey()
      const slow = aClaim(key)
      equal(await right(idempotencyRecords.claim(slow)), claimed)
      const kept = { key, token: slow.token, answer: anAnswer('slow'), expiresAt: after(1000) }
      equal(await right(idempotencyRecords.keep(kept)), 'kept')
      equal(await right(idempotencyRecords.claim(aClaim(key, 500))), {
        _tag: 'answered',
        answer: kept.answer,
      })
    },
    'a released claim is free at once': async ({ idempotencyRecords }) => {
      const key = aKey()
      const first = aClaim(key)
      equal(await right(idempotencyRecords.claim(first)), claimed)
      await right(idempotencyRecords.release({ ...first, at: after(1) }))
      equal(await right(idempotencyRecords.claim(aClaim(key, 1))), claimed)
      const none = { key: aKey(), token: 'none' }
      await right(idempotencyRecords.release({ ...none, at: after(1) }))
      const kept = { ...none, answer: anAnswer(), expiresAt: after(1000) }
      equal(await right(idempotencyRecords.keep(kept)), 'claim_lost')
      equal(await right(idempotencyRecords.claim(aClaim(none.key, 1))), claimed)
    },
    'keys and organisations are compared exactly, and no organisation gets answers of another': async (
      ports,
    ) => {
      const { idempotencyRecords } = ports
      const key = aKey()
      await answered(ports, key, anAnswer())
      const { organisation, request } = key
      for (const other of [
        { organisation: freshCode('ORG'), request },
        { organisation: organisation.toLowerCase(), request },
        { organisation: `${organisation} `, request },
        { organisation, request: request.toUpperCase() },
        { organisation, request: `${request.slice(0, -1)} ` },
      ])
        equal(await right(idempotencyRecords.claim(aClaim(other, 1))), claimed)
    },
  }),
  ...casesOf<StorePorts>(
    port,
    {
      'only expired records are removed, up to the limit': async ({ idempotencyRecords }) => {
        const age = -1_000_000
        const keys = Array.from({ length: 7 }, aKey)
        for (const [index, key] of keys.entries()) {
          const claim = aClaim(key, age, { expiresAt: after(age + (index < 5 ? 1000 : 3000)) })
          equal(await right(idempotencyRecords.claim(claim)), claimed)
          const kept = { key, token: claim.token, answer: anAnswer(), expiresAt: claim.expiresAt }
          if (index % 2 === 0) equal(await right(idempotencyRecords.keep(kept)), 'kept')
        }
        equal(await right(idempotencyRecords.forget(after(age + 999), 3)), 0)
        const counts: number[] = []
        for (let call = 0; call < 3; call += 1)
          counts.push(await right(idempotencyRecords.forget(after(age + 1000), 3)))
        equal(counts, [3, 2, 0])
        const seen: string[] = []
        for (const key of keys) seen.push((await right(idempotencyRecords.claim(aClaim(key, age + 1))))._tag)
        equal(seen, [...Array<string>(5).fill('claimed'), 'in_progress', 'answered'])
        equal(await right(idempotencyRecords.forget(after(age + 5000), 1000)), 7)
      },
    },
    'alone',
  ),
  ...casesOf<StorePorts>(port, {
    'the answer of a request is not kept if its account was erased during the request': async (ports) => {
      const supplier = await freshSupplier(ports)
      const [created, staged] = [keyOf(supplier, 'created'), keyOf(supplier, 'staged')]
      await createdFrom(ports, created, after(1))
      await right(ports.accountImports.stage([aStaging(staged)]))
      for (const key of [created, staged]) {
        const underWay = await claimedRequest(ports, key)
        await right(ports.personalData.erase(key, after(2)))
        equal(await underWay.keep('{"line":"ñ"}'), 'account_erased')
        equal((await right(ports.personalData.find(key)))?.answers, [])
        equal(await right(ports.idempotencyRecords.claim(underWay.again)), { _tag: 'claimed' })
        const beside = await claimedRequest(ports, { ...key, externalAccountNumber: 'beside' })
        equal(await beside.keep('{}'), 'kept')
      }
      await right(ports.accountImports.setSkipped(staged, false, after(3)))
      equal(await (await claimedRequest(ports, staged)).keep('{"a":"let in"}'), 'kept')
      await createdFrom(ports, staged, after(4))
      equal(await (await claimedRequest(ports, staged)).keep('{"a":"created"}'), 'kept')
      equal((await right(ports.personalData.find(staged)))?.answers.length, 2)
    },
  }),
  ...casesOf<StorePorts>(
    port,
    {
      'one committed unit of work marks a request with an idempotency key as done, until the key expires':
        async ({ idempotencyRecords, unitOfWork }) => {
          const key = aKey()
          const [first, second, late] = [aClaim(key), aClaim(key, 60), aClaim(key, 1000)]
          const begin = ({ token }: AnswerClaim) =>
            right(unitOfWork.run(key.organisation, ({ keyedWork }) => keyedWork.begin({ key, token })))
          const undone = ({ token }: AnswerClaim) =>
            unitOfWork.run(key.organisation, async ({ keyedWork }) =>
              E.swap(await keyedWork.begin({ key, token })),
            )
          equal(await begin(first), 'claim_lost')
          equal(await right(idempotencyRecords.claim(first)), claimed)
          equal(await begin({ ...first, token: 'other' }), 'claim_lost')
          equal(await undone(first), E.left('first'))
          equal([await begin(first), await begin(first)], ['first', 'done'])
          equal(await right(idempotencyRecords.claim(second)), claimed)
          equal([await begin(first), await begin(second)], ['claim_lost', 'done'])
          await right(idempotencyRecords.release({ ...second, at: after(61) }))
          const third = aClaim(key, 61)
          equal(await right(idempotencyRecords.claim(third)), claimed)
          equal(await begin(third), 'done')
          equal(
            await right(idempotencyRecords.keep({ ...third, answer: anAnswer(), expiresAt: after(1000) })),
            'kept',
          )
          equal(await begin(third), 'claim_lost')
          equal(await right(idempotencyRecords.claim(late)), claimed)
          equal(await begin(late), 'first')
        },
    },
    'alone',
  ),
]
