import fc from 'fast-check'
import { operations, type Operation } from '../contract.js'
import { otherTargets, targetsOf } from './addresses.js'
import { bodiesFor } from './bodies.js'
import { changes, rawPlans } from './transport.js'
import type { Account, BodyFor, Plan, Request } from '../exchange.js'
import { created, headersOf, staged } from './well-meant.js'

const tokens = fc.oneof(
  { weight: 20, arbitrary: fc.constant('full' as const) },
  { weight: 3, arbitrary: fc.constantFrom('foreign' as const, 'validate' as const, 'read' as const) },
)

const nothing: BodyFor = () => ({ bytes: new Uint8Array() })

const requestsFor = (operation: Operation): fc.Arbitrary<Plan> => {
  const { method, body, needsToken } = operation
  return fc
    .record({
      target: targetsOf(operation),
      body: body === undefined ? fc.constant(nothing) : bodiesFor(operation.id, body),
      token: tokens,
      change: changes,
      key: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat(2) }),
      times: fc.oneof(
        { weight: 8, arbitrary: fc.constant(1) },
        { weight: 1, arbitrary: fc.constantFrom(2, 3) },
      ),
    })
    .map(({ target, body: bodyFor, token, change, key, times }) => (account) => {
      const { bytes, ...known } = bodyFor(account)
      const headers = headersOf({
        Authorization: needsToken ? `Token ${account.tokens[token]}` : undefined,
        'Content-Type': body?.type,
        'Idempotency-Key': key === undefined ? undefined : `${account.number}-${key}`,
      })
      const sent = { method, target: target(account), headers, ...(body !== undefined && { body: bytes }) }
      return [Array<Request>(times).fill(change({ ...known, sent }))]
    })
}

const elsewhere: fc.Arbitrary<Plan> = fc
  .record({ target: otherTargets, change: changes })
  .map(({ target, change }) => () => [[change({ sent: { method: 'GET', target, headers: headersOf({}) } })]])

/** Any request: each endpoint as often as the others, few to other addresses, few that are hardly HTTP. */
const hostile: fc.Arbitrary<Plan> = fc.oneof(
  ...operations.map((operation) => ({ weight: 8, arbitrary: requestsFor(operation) })),
  { weight: 6, arbitrary: elsewhere },
  { weight: 6, arbitrary: fc.constantFrom(...rawPlans) },
)

const inTurn =
  (requests: (account: Account) => readonly Request[]): Plan =>
  (account) =>
    requests(account).map((each) => [each])

const beginnings = fc.constantFrom<Plan>(() => [], inTurn(staged), inTurn(created))

/** So that they are cut into pieces that can be repeated alone. */
const mostSteps = 24

/** What is done with one account: it begins well, or not at all, and then anything comes. */
const sequence: fc.Arbitrary<Plan> = fc
  .record({ beginning: beginnings, steps: fc.array(hostile, { minLength: 8, maxLength: mostSteps }) })
  .map(
    ({ beginning, steps }) =>
      (account: Account) =>
        [beginning, ...steps].flatMap((plan) => plan(account)),
  )

/** The sequence of this number in a run with this seed. */
export const sequenceOf = (seed: number, index: number): Plan => {
  const [plan] = fc.sample(sequence, { seed: seed + index, numRuns: 1 })
  if (plan === undefined) throw new Error('fast-check gave nothing')
  return plan
}
