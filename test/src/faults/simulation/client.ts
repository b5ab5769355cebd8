import type { AccountKey, PortFailure, UseCases } from '@account-import/core'
import { accountKeyText, E, type Either, type TaskEither } from '@account-import/core/adapter-kit'
import { isMade } from '../../support/intercepted-ports.js'
import type { Sent } from '../invariants/sent.js'
import type { Servers } from './servers.js'

export const organisation = 'ACME'
export const importSupplier = 'LEVANTE'
export const team = 'Migration team'

export const keyOf = (externalAccountNumber: string): AccountKey => ({
  organisation,
  importSupplier,
  externalAccountNumber,
})

/** What the clients of a simulation know together. */
export type Known = Readonly<{
  sent: Sent
  apiKey: string
  /** How often staging each account was acknowledged, by its number. */
  stagings: Map<string, number>
  /** Domains that were sent to be added to the settings of the supplier, and whether that was acknowledged. */
  domains: Map<string, boolean>
  /** What was given as the kept answer to processing each account under its idempotency key. */
  keptAnswers: Map<string, string>
  violations: string[]
  counts: { requests: number; acknowledged: number; failed: number }
  /** Another one each time, so that what is stored tells who sent it. */
  nextName(): string
}>

type Tagged = Readonly<{ _tag: string }>

/** Nothing is known of the outcome where no answer came, or a port failed that was made to. */
export type Answered<Refused, A> = Either<Exclude<Refused, PortFailure>, A> | undefined

export type Client = Readonly<{
  ordinal: number
  known: Known
  ask<Refused extends Tagged, A>(
    request: (useCases: UseCases) => TaskEither<Refused, A>,
  ): Promise<Answered<Refused, A>>
}>

const isPortFailure = (refusal: Tagged): refusal is PortFailure => refusal._tag === 'PortFailure'

/** A port that fails though nothing made it fail was asked for what it cannot do, which is a bug. */
export const outcomeOf = <Refused extends Tagged, A>(
  { violations, counts }: Known,
  outcome: Either<Refused, A>,
): Answered<Refused, A> => {
  if (E.isRight(outcome)) {
    counts.acknowledged += 1
    return outcome
  }
  const refusal: Tagged = outcome.left
  if (!isPortFailure(refusal)) return E.left(refusal as Exclude<Refused, PortFailure>)
  counts.failed += 1
  if (!isMade(refusal.cause))
    violations.push(`I8: ${refusal.port}.${refusal.operation} failed by itself: ${String(refusal.cause)}`)
  return undefined
}

export const clientOf = (known: Known, servers: Servers, ordinal: number): Client => ({
  ordinal,
  known,
  ask: async (request) => {
    known.counts.requests += 1
    const server = servers.of(ordinal)
    const answer = await Promise.race([request(server.useCases)(), server.died])
    return answer === undefined ? undefined : outcomeOf(known, answer)
  },
})

export const isCreated = ({ known }: Client, number: string): boolean =>
  known.sent.told.has(accountKeyText(keyOf(number)))

/** Whoever hears the number of an account hears the same. */
export const hearNumber = ({ known }: Client, number: string, platformAccountNumber: string): void => {
  const { sent, violations } = known
  const key = accountKeyText(keyOf(number))
  const before = sent.told.get(key)
  if (before !== undefined && before !== platformAccountNumber)
    violations.push(`I1: ${number} is told as ${before} and as ${platformAccountNumber}`)
  sent.told.set(key, platformAccountNumber)
}

/** What was acknowledged is not refused as if it were not there, and nothing is refused for its content. */
export const expectRefusal = (
  { known }: Client,
  isExpected: boolean,
  what: string,
  { _tag }: Tagged,
): void => {
  if (!isExpected) known.violations.push(`I2, I8: ${what} was refused with ${_tag}`)
}
