import type { AccountKey, PortFailure, Ports, UseCases } from '@account-import/core'
import { accountKeyText } from '@account-import/core/adapter-kit'
import { E, type Either, makeUseCases } from '@account-import/core/fp'
import type { Scheduler } from 'fast-check'
import {
  failedAnswer,
  interceptedPorts,
  isMade,
  noAnswer,
  type Around,
} from '../../support/intercepted-ports.js'
import type { Tally } from '../loads/tally.js'
import type { Plan } from './plan.js'

export const organisation = 'ACME'
export const importSupplier = 'LEVANTE'
export const team = 'Migration team'

export const keyOf = (externalAccountNumber: string): AccountKey => ({
  organisation,
  importSupplier,
  externalAccountNumber,
})

/** The shared knowledge of the clients of a simulation. */
export type Known = Readonly<{
  tally: Tally
  apiKey: string
  /** Domains that were sent to be added to the settings of the supplier, and whether that was acknowledged. */
  domains: Map<string, boolean>
  /** The replayed answer to processing each account under its idempotency key. */
  idempotencyRecords: Map<string, string>
  /** Different at each call, so that stored data shows its sender. */
  nextName(): string
}>

/** A server process; after a call that never answers it is lost, with all its requests. */
type Server = Readonly<{ useCases: UseCases; died: Promise<void>; isDead(): boolean }>

export type Servers = Readonly<{
  /** The process that serves the client now. */
  of(client: number): Server
  /** The faults that were injected. */
  injected(): number
}>

const atOneTime = 2

/**
 * Two servers on the same ports. Before each call of a port, and before its answer arrives, the scheduler decides which call
 * continues; the calls of the plan fail. A lost server is replaced at once.
 */
export const startServers = (ports: Ports, scheduler: Scheduler, { faults }: Plan): Servers => {
  const planned = new Map(faults.map(({ nth, fault }) => [nth, fault]))
  let calls = 0
  let injected = 0
  const start = (): Server => {
    let isDead = false
    let die = (): void => undefined
    const died = new Promise<void>((resolve) => (die = resolve))
    const around: Around = async (call, effect) => {
      const nth = (calls += 1)
      const label = `${nth} ${call.port}.${call.operation}`
      await scheduler.schedule(Promise.resolve(), label)
      if (isDead) return noAnswer
      const fault = planned.get(nth)
      if (fault !== undefined) injected += 1
      const answer = fault?.moment === 'before' ? noAnswer : await effect()
      // No other work can run between two calls of a unit of work that the answer of a call would show.
      if (!call.isInUnitOfWork) await scheduler.schedule(Promise.resolve(), `${label} answers`)
      if (isDead) return noAnswer
      if (fault === undefined) return answer
      if (fault.ending !== 'no answer') return failedAnswer(call, fault.ending)
      isDead = true
      die()
      return noAnswer
    }
    return { useCases: makeUseCases(interceptedPorts(ports, around)), died, isDead: () => isDead }
  }
  const servers = Array.from({ length: atOneTime }, start)
  return {
    of: (client) => {
      const place = client % atOneTime
      const current = servers[place]
      if (current !== undefined && !current.isDead()) return current
      return (servers[place] = start())
    },
    injected: () => injected,
  }
}

type Tagged = Readonly<{ _tag: string }>

/** The outcome is unknown if no response arrived, or a port failed on purpose. */
export type Answered<Refused, A> = Either<Exclude<Refused, PortFailure>, A> | undefined

export type Client = Readonly<{
  ordinal: number
  known: Known
  ask<Refused extends Tagged, A>(
    request: (useCases: UseCases) => Promise<Either<Refused, A>>,
  ): Promise<Answered<Refused, A>>
}>

const isPortFailure = (refusal: Tagged): refusal is PortFailure => refusal._tag === 'PortFailure'

/** A port that fails without an injected fault got an invalid call, which is a bug. */
export const outcomeOf = <Refused extends Tagged, A>(
  { tally: { violations, counts } }: Known,
  outcome: Either<Refused, A>,
): Answered<Refused, A> => {
  if (E.isRight(outcome)) {
    counts.acknowledged += 1
    return outcome
  }
  const refusal: Tagged = outcome.left
  if (!isPortFailure(refusal)) return E.left(refusal as Exclude<Refused, PortFailure>)
  if (!isMade(refusal.cause))
    violations.push(`I8: ${refusal.port}.${refusal.operation} failed by itself: ${String(refusal.cause)}`)
  return undefined
}

export const clientOf = (known: Known, servers: Servers, ordinal: number): Client => ({
  ordinal,
  known,
  ask: async (request) => {
    known.tally.counts.requests += 1
    const server = servers.of(ordinal)
    const answer = await Promise.race([request(server.useCases), server.died])
    return answer === undefined ? undefined : outcomeOf(known, answer)
  },
})

export const isCreated = ({ known }: Client, number: string): boolean =>
  known.tally.told.has(accountKeyText(keyOf(number)))

export const hearNumber = ({ known }: Client, number: string, platformAccountNumber: string): void =>
  known.tally.hear(keyOf(number), platformAccountNumber)

/**
 * The granted answer; undefined for no answer, or a refusal. Acknowledged data is never refused as missing, and nothing is
 * refused for its content: an unexpected refusal is recorded.
 */
export const granted = <Refused extends Tagged, A>(
  { known }: Client,
  answer: Answered<Refused, A>,
  what: string,
  isExpected: (refusal: Exclude<Refused, PortFailure>) => boolean = () => false,
): A | undefined => {
  if (answer === undefined) return undefined
  if (E.isRight(answer)) return answer.right
  if (!isExpected(answer.left))
    known.tally.violations.push(`I2, I8: ${what} was refused with ${answer.left._tag}`)
  return undefined
}
