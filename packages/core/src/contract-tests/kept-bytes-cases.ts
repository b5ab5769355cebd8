import type { StorePorts } from '../ports/index.js'
import type { AnswerClaim } from '../ports/idempotency-records.js'
import { plusSeconds, type Instant } from '../values/instant.js'
import { after, freshCode, start } from './builders.js'
import { casesOf, equal, right } from './contract-case.js'

const mostBytes = 1_000_000

const aClaim = (organisation: string, at: Instant = start): AnswerClaim => ({
  key: { organisation, request: freshCode('r').padEnd(64, '0') },
  content: 'c'.repeat(64),
  token: freshCode('token'),
  at,
  endsAt: plusSeconds(at, 60),
  expiresAt: plusSeconds(at, 1000),
  mostBytes,
})

/** How much of answers is kept for an organisation. */
export const keptBytesCases = casesOf<StorePorts>(
  'IdempotencyRecords',
  {
    'of an organisation that keeps as many bytes as it may no new key is claimed until the next day, and all that were are answered':
      async ({ idempotencyRecords }) => {
        const [organisation, other] = [freshCode('ORG'), freshCode('ORG')]
        const [first, open] = [aClaim(organisation), aClaim(organisation)]
        const claim = (claimed: AnswerClaim) => right(idempotencyRecords.claim(claimed))
        equal([await claim(first), await claim(open)], [{ _tag: 'claimed' }, { _tag: 'claimed' }])
        const answer = { status: 201, headers: {}, body: 'x'.repeat(mostBytes) }
        equal(await right(idempotencyRecords.keep({ ...first, answer, expiresAt: after(1000) })), 'kept')
        await right(idempotencyRecords.release({ ...open, at: after(1) }))
        const refused = await claim(aClaim(organisation, after(2)))
        if (refused._tag !== 'full') throw new Error(`it was ${refused._tag}`)
        equal(await claim({ ...first, token: freshCode('token') }), { _tag: 'answered', answer })
        equal(await claim({ ...open, at: after(2), token: freshCode('token') }), { _tag: 'claimed' })
        equal(await claim(aClaim(organisation, plusSeconds(refused.until, -0.001))), refused)
        equal(await claim(aClaim(other)), { _tag: 'claimed' })
        equal(await claim(aClaim(organisation, refused.until)), { _tag: 'claimed' })
      },
  },
  'alone',
)
