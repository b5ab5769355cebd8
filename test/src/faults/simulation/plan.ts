import fc from 'fast-check'
import { everyCallFault, type CallFault } from '../faults/calls.js'

/** So few that clients meet. */
const accounts = 2
export const numbers: readonly string[] = Array.from({ length: accounts }, (_, index) => `A-${index}`)

const account = fc.constantFrom(...numbers)
const is = <Name extends string>(name: Name) => fc.constant(name)

const additionKinds = ['note', 'transaction', 'statement', 'instruction'] as const
export type AdditionKind = (typeof additionKinds)[number]

const stage = fc.record({ does: is('stage'), account })
const process = fc.record({
  does: is('process'),
  account,
  isDryRun: fc.constantFrom(false, false, false, true),
})
const add = fc.record({
  does: is('add'),
  account,
  kind: fc.constantFrom(...additionKinds),
  /** Whether the same request is sent twice at once. */
  isTwice: fc.boolean(),
})
const skip = fc.record({ does: is('skip'), account, skipped: fc.boolean() })
const pass = fc.record({ does: is('pass'), seconds: fc.constantFrom(1, 61, 61, 120) })
const processOnce = fc.record({
  does: is('processOnce'),
  account,
  /** How often the same request is sent, one after the other. */
  times: fc.integer({ min: 1, max: 4 }),
})
const look = fc.record({ does: is('look'), account })
const other = fc.record({
  does: fc.constantFrom('bulkStage', 'bulkProcess', 'list', 'configure', 'pause', 'signIn', 'deliver'),
})

const command = fc.oneof(
  { weight: 4, arbitrary: stage },
  { weight: 6, arbitrary: process },
  { weight: 3, arbitrary: processOnce },
  { weight: 6, arbitrary: add },
  { weight: 1, arbitrary: skip },
  { weight: 4, arbitrary: pass },
  { weight: 2, arbitrary: look },
  { weight: 6, arbitrary: other },
)

export type Command =
  | Readonly<{ does: 'stage' | 'look'; account: string }>
  | Readonly<{ does: 'processOnce'; account: string; times: number }>
  | Readonly<{ does: 'process'; account: string; isDryRun: boolean }>
  | Readonly<{ does: 'add'; account: string; kind: AdditionKind; isTwice: boolean }>
  | Readonly<{ does: 'skip'; account: string; skipped: boolean }>
  | Readonly<{ does: 'pass'; seconds: number }>
  | Readonly<{
      does: 'bulkStage' | 'bulkProcess' | 'list' | 'configure' | 'pause' | 'signIn' | 'deliver'
    }>

/** What each client does, one after the other, and which calls of ports go wrong, by their ordinal overall. */
export type Plan = Readonly<{
  clients: readonly (readonly Command[])[]
  faults: readonly Readonly<{ nth: number; fault: CallFault }>[]
}>

const commands: fc.Arbitrary<Command[]> = fc.array(command, { minLength: 1, maxLength: 4, size: 'max' })

const crowdOf = (most: number): fc.Arbitrary<Command[][]> =>
  fc.array(commands, { minLength: 1, maxLength: most, size: 'max' })

/** As many calls as a few clients make, or a crowd. */
const ordinals = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 600 }))

/** Most faults are found, and all are shown best, by few clients; one in four plans has up to fifty. */
export const plans: fc.Arbitrary<Plan> = fc.record({
  clients: fc.oneof({ weight: 3, arbitrary: crowdOf(8) }, { weight: 1, arbitrary: crowdOf(50) }),
  faults: fc.array(fc.record({ nth: ordinals, fault: fc.constantFrom(...everyCallFault) }), {
    maxLength: 6,
    size: 'max',
  }),
})
