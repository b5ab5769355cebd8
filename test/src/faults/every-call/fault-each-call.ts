import type { PlainResult, PortFailure } from '@account-import/core'
import type { PlainCall } from '../../use-cases/support/plain-call.js'
import { onPorts, type PlainWorld } from '../../use-cases/support/plain-world.js'
import { faultName, nthCallFails, type CallFault } from '../faults/calls.js'
import { brokenInvariants } from '../invariants/broken-invariants.js'
import { lookAt } from '../invariants/look-at.js'
import { sentBy, type SentBy } from './sent-by.js'
import { differences, worldState, type WorldState, type Worlds } from './worlds.js'

type Answer = PlainResult<Readonly<{ _tag: string }>, unknown>

/** What came of it: the calls that went wrong, and what was wrong afterwards. */
export type FaultedCalls = Readonly<{
  injected: number
  requests: number
  acknowledged: number
  violations: readonly string[]
}>

/** More than a claim or a lease lasts. */
const expirySeconds = 120

const mostCalls = 200

/** Whoever claimed it does not answer any more. */
const heldTags = ['AccountProcessedElsewhere', 'AccountImportInProgress', 'IdempotencyKeyInProgress']

const isHeld = (answer: Answer): boolean => !answer.ok && heldTags.includes(answer.refusal._tag)

/** What is wrong with the answer of a call of which one port failed. */
const answerFaults = (answer: Answer | undefined, { ending }: CallFault): readonly string[] => {
  if (answer === undefined || answer.ok) return []
  const { refusal } = answer
  if (refusal._tag !== 'PortFailure') return [`I8: refused with ${refusal._tag}`]
  // Hashing cannot be out of reach.
  const isExpected = ending === 'unexpected' || (refusal as PortFailure).port === 'secrets'
  return isExpected || (refusal as PortFailure).kind === 'unavailable'
    ? []
    : ['I8: told as unexpected, though it may be tried again']
}

/** What is wrong after the same call was made once more. */
const repeated = async (
  world: PlainWorld,
  { again, succeeds, done }: PlainCall,
  { tally, note }: SentBy,
  expected: WorldState,
): Promise<readonly string[]> => {
  const call = again ?? succeeds
  let answer: Answer = await call(world)
  if (isHeld(answer)) {
    world.clock.pass(expirySeconds)
    answer = await call(world)
  }
  note(answer)
  const refused =
    answer.ok || answer.refusal._tag === done ? [] : [`I5: then refused with ${answer.refusal._tag}`]
  const looked = await lookAt(world.ports, tally)
  return [
    ...refused,
    ...(await brokenInvariants({ ports: world.ports, tally }, looked)),
    ...differences(await worldState(world.ports, looked), expected),
  ]
}

type Faulted = Readonly<{ name: string; call: PlainCall; expected: WorldState }>

const faultOne = async (
  world: PlainWorld,
  { name, call, expected }: Faulted,
  nth: number,
  fault: CallFault,
): Promise<Omit<FaultedCalls, 'injected'> | undefined> => {
  await call.given?.(world)
  const by = await sentBy(world, name)
  const faulty = nthCallFails(world.ports, nth, fault)
  const server = onPorts(world, faulty.ports)
  const answer = await Promise.race([call.succeeds(server), faulty.hung.then(() => undefined)])
  await faulty.quiet()
  const hit = faulty.hit()
  if (hit === undefined) return undefined
  by.note(answer)
  const looked = await lookAt(world.ports, by.tally)
  const first = [
    ...answerFaults(answer, fault),
    ...(await brokenInvariants({ ports: world.ports, tally: by.tally }, looked)),
  ]
  if (fault.ending === 'no answer') world.clock.pass(expirySeconds)
  // A server that got no answer may be gone; one that was told of a failure goes on.
  const second = await repeated(fault.ending === 'no answer' ? world : server, call, by, expected)
  const third = await repeated(server, call, by, expected)
  const violations = [...first, ...second, ...third].map(
    (each) => `${name}, call ${nth}, ${hit} ${faultName(fault)}: ${each}`,
  )
  return { ...by.tally.counts, violations }
}

/**
 * Makes the 1st, the 2nd, … call of any port go wrong, in every way, until a run has no such call any more; after each
 * the invariants hold, the same call can be made again, and what is there then is what is there without a fault.
 */
export const faultEachCall = async (worlds: Worlds, name: string, call: PlainCall): Promise<FaultedCalls> => {
  const expected = await worlds.run(async (world) => {
    await call.given?.(world)
    const { tally } = await sentBy(world, name)
    const answer = await call.succeeds(world)
    if (!answer.ok) throw new Error(`${name} was refused with ${answer.refusal._tag}`)
    return worldState(world.ports, await lookAt(world.ports, tally))
  })
  const total = { injected: 0, requests: 0, acknowledged: 0, violations: new Array<string>() }
  for (const fault of worlds.faults)
    for (let nth = 1; ; nth += 1) {
      if (nth > mostCalls) throw new Error(`${name}: more port calls than were expected`)
      const found = await worlds.run((world) => faultOne(world, { name, call, expected }, nth, fault))
      if (found === undefined) break
      total.injected += 1
      total.requests += found.requests
      total.acknowledged += found.acknowledged
      total.violations.push(...found.violations)
    }
  return total
}
