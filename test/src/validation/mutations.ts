import { generateAccounts } from '@account-import/example-generate-accounts'
import { fc } from '../support/properties.js'
import { sample } from '../support/samples.js'

/** Accounts as JSON text, valid, warned and wrong: the samples and some that are generated. */
export const originals: readonly string[] = [
  ...['gas-account.json', 'electricity-account.json', 'invalid-account.json'].map((name) =>
    JSON.stringify(sample(name)),
  ),
  ...[...generateAccounts({ count: 60, invalidShare: 0.25, warningShare: 0.25 })].map(({ payload }) =>
    JSON.stringify(payload),
  ),
]

/** One change of a payload: its place, by positions among the keys of each object above it, and the new value. */
export type Mutation = Readonly<{
  steps: readonly number[]
  kind: Kind
  value: unknown
  key: string
  place: number
}>

const kinds = ['drop', 'replace', 'repeat', 'reverse', 'insert', 'rename', 'add', 'nest'] as const
type Kind = (typeof kinds)[number]

type Container = Record<string, unknown> | unknown[]

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null

const words = (text: string): readonly string[] => text.split(' ')

/** Texts and numbers with known faults. */
const hostile: readonly unknown[] = [
  words('\u0000 \ud800 \u2028 \ufeff 1e3 -0 ٣ 00 +1 ñ 2025-02-30 2025-02-28 2999-01-01'),
  words('2025-02-28T24:00:00Z 2025-02-28T10:00:00Z ES1234123456789012JY ES 12345678Z ../x %252e%252e/x'),
  words('__proto__ toString test@test.com a@b +34600000123 (((( REGULAR GAS SUPPLY_CHARGE'),
  ['', ' ', 'x'.repeat(70_000), '9'.repeat(65)],
  [0, -0, -1, 1.5, 1e21, 1e-7, 0.1 + 0.2, 2 ** 53, 10_000_000_000],
  [true, false, null, [], {}, [null], [[]], { value: {} }],
].flat()

/** Names that an object may have from somewhere else, or that mean something to JavaScript. */
const specialKeys = [
  words('__proto__ constructor prototype toJSON toString hasOwnProperty 0 a.b'),
  ['', 'x'.repeat(65)],
].flat()

const anyValue = fc.oneof(fc.constantFrom(...hostile), fc.jsonValue({ maxDepth: 3 }))

const mutation: fc.Arbitrary<Mutation> = fc.record({
  steps: fc.array(fc.nat(40), { maxLength: 8 }),
  kind: fc.constantFrom(...kinds),
  value: anyValue,
  key: fc.oneof(
    fc.constantFrom(...specialKeys),
    fc.constantFrom(...words('customers ledgers amount effective_to unknown_occupier reason value unknown')),
    fc.string({ maxLength: 8 }),
  ),
  place: fc.nat(40),
})

/** Up to six changes, one after the other. */
export const mutations = fc.array(mutation, { minLength: 1, maxLength: 6 })

/** As an own field, for any meaning of the name in JavaScript. */
const define = (holder: object, key: string, value: unknown): void => {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
}

/** The object or list at the steps; they end early if it does not exist. */
const containerAt = (root: Container, steps: readonly number[]): Container => {
  let holder = root
  for (const step of steps) {
    const inner = Object.values(holder).filter(isContainer)
    const next = inner[step % Math.max(inner.length, 1)]
    if (next === undefined) break
    holder = next
  }
  return holder
}

const changeList = (items: unknown[], { kind, value, place }: Mutation): void => {
  const at = place % Math.max(items.length, 1)
  const item = items[at]
  if (kind === 'drop') items.splice(at, 1)
  else if (kind === 'replace' || kind === 'rename') items[at] = value
  else if (kind === 'repeat') items.push(structuredClone(item ?? null))
  else if (kind === 'reverse') items.reverse()
  else if (kind === 'nest') items[at] = [item ?? null]
  else items.splice(at, 0, value)
}

const changeObject = (object: Record<string, unknown>, { kind, value, key, place }: Mutation): void => {
  const keys = Object.keys(object)
  const name = keys[place % Math.max(keys.length, 1)]
  if (name === undefined || kind === 'add' || kind === 'insert') return define(object, key, value)
  const old = object[name]
  if (kind === 'replace') object[name] = value
  else if (kind === 'nest') object[name] = { [name]: old }
  else if (kind === 'repeat') define(object, key, structuredClone(old))
  else {
    delete object[name]
    if (kind === 'rename') define(object, key, old)
    if (kind === 'reverse') object[name] = old
  }
}

/** Changes a payload, which has to be one of its own. */
export const mutate = (payload: Container, changes: readonly Mutation[]): void => {
  for (const each of changes) {
    // Values of fast-check may be handed out again.
    const change = { ...each, value: structuredClone(each.value) }
    const holder = containerAt(payload, change.steps)
    if (Array.isArray(holder)) changeList(holder, change)
    else changeObject(holder, change)
  }
}
