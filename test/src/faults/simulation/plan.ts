import fc from 'fast-check'
import { everyCallFault, type CallFault } from '../faults/calls.js'

/** So few that clients conflict. */
export const numbers: readonly string[] = ['A-0', 'A-1']

const account = fc.constantFrom(...numbers)
const is = <Name extends string>(name: Name) => fc.constant(name)

const additionKinds = ['note', 'transaction', 'statement', 'instruction'] as const
export type AdditionKind = (typeof additionKinds)[number]

const add = fc.record({
  does: is('add'),
  account,
  kind: fc.constantFrom(...additionKinds),
  /** Whether the same request is sent twice at once. */
  isTwice: fc.boolean(),
})
const isDryRun = fc.constantFrom(false, false, false, true)
const other = fc.record({
  does: fc.constantFrom('bulkStage', 'bulkProcess', 'list', 'configure', 'pause', 'signIn', 'deliver'),
})

const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: is('stage'), account }) },
  { weight: 6, arbitrary: fc.record({ does: is('process'), account, isDryRun }) },
  // The number of times that the same request is sent, one after the other.
  {
    weight: 3,
    arbitrary: fc.record({ does: is('processOnce'), account, times: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 6, arbitrary: add },
  { weight: 1, arbitrary: fc.record({ does: is('skip'), account, skipped: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ does: is('pass'), seconds: fc.constantFrom(1, 61, 61, 120) }) },
  { weight: 2, arbitrary: fc.record({ does: is('look'), account }) },
  { weight: 6, arbitrary: other },
)

export type Command = Readonly<typeof command extends fc.Arbitrary<infer One> ? One : never>

/** The steps of each client, one after the other, and the failing calls of ports, by their ordinal overall. */
export type Plan = Readonly<{
  clients: readonly (readonly Command[])[]
  faults: readonly Readonly<{ nth: number; fault: CallFault }>[]
}>

const commands: fc.Arbitrary<Command[]> = fc.array(command, { minLength: 1, maxLength: 4, size: 'max' })

const crowdOf = (most: number): fc.Arbitrary<Command[][]> =>
  fc.array(commands, { minLength: 1, maxLength: most, size: 'max' })

/** The number of calls of a few clients, or of a crowd. */
const ordinals = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 600 }))

/** A few clients find most faults, and show all of them best; one in four plans has up to fifty. */
export const plans: fc.Arbitrary<Plan> = fc.record({
  clients: fc.oneof({ weight: 3, arbitrary: crowdOf(8) }, { weight: 1, arbitrary: crowdOf(50) }),
  faults: fc.array(fc.record({ nth: ordinals, fault: fc.constantFrom(...everyCallFault) }), {
    maxLength: 6,
    size: 'max',
  }),
})
