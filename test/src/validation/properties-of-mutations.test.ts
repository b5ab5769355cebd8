import test from 'ava'
import type { AccountPayload } from '@account-import/core'
import { accountPayload, checkAccountPayload, E, type Checked } from '@account-import/core/adapter-kit'
import { echoAccount, maskCardNumbers } from '@account-import/core/testing'
import { fc, isReplay, runs } from '../support/properties.js'
import { compareAttrs, knownPart, resolves } from './document-order.js'
import { mutate, mutations, type Mutation } from './mutations.js'
import { originals } from './originals.js'
import { contextWith } from './support.js'

type Case = Readonly<{ original: number; changes: readonly Mutation[] }>

const cases: fc.Arbitrary<Case> = fc.record({ original: fc.nat(originals.length - 1), changes: mutations })

const payloadOf = ({ original, changes }: Case): Record<string, unknown> => {
  const payload = JSON.parse(originals[original] ?? '{}') as Record<string, unknown>
  mutate(payload, changes)
  return payload
}

const validate = (payload: unknown): Checked<AccountPayload> => checkAccountPayload(payload, contextWith())

const always = (property: (payload: Record<string, unknown>) => void): void =>
  fc.assert(
    fc.property(cases, (each) => property(payloadOf(each))),
    { numRuns: runs(400) },
  )

const entriesOf = (checked: Checked<unknown>) =>
  E.isLeft(checked) ? [checked.left.errors, checked.left.warnings] : [[], checked.right.warnings]

/** All that a client sees: entries in their order, and the echo of what was accepted. */
const answerOf = (checked: Checked<AccountPayload>): string =>
  JSON.stringify(
    E.isLeft(checked) ? checked.left : [echoAccount(checked.right.value), checked.right.warnings],
  )

const frozen = <A>(value: A): A => {
  if (typeof value !== 'object' || value === null) return value
  Object.values(value).forEach(frozen)
  return Object.freeze(value)
}

test('every attr leads to something in the payload, or to a key that is missing there', (t) => {
  always((payload) => {
    for (const { attr, code } of entriesOf(validate(payload)).flat())
      if (!resolves(payload, attr)) throw new Error(`${attr} ${code}`)
  })
  t.pass()
})

test('entries are in document order, then by code, and none comes twice', (t) => {
  always((payload) => {
    for (const entries of entriesOf(validate(payload)))
      entries
        .filter(({ code }) => !code.startsWith('too_many_'))
        .forEach(({ attr, code }, at, list) => {
          const next = list[at + 1]
          if (next === undefined) return
          const order = compareAttrs(payload, attr, next.attr)
          if (order > 0 || (order === 0 && code >= next.code))
            throw new Error(`${attr} ${code} before ${next.attr} ${next.code}`)
        })
  })
  t.pass()
})

/** What is kept of an accepted payload: what is known of it, but card numbers in the bodies of notes. */
const keptPart = (payload: unknown): unknown => {
  const known = knownPart(payload) as AccountPayload
  if (known.notes === undefined) return known
  const notes = known.notes.map((note) =>
    note.body === undefined ? note : { ...note, body: maskCardNumbers(note.body) },
  )
  return { ...known, notes }
}

test('an answer has errors, or an account that consists of what was sent and is known', (t) => {
  let accepted = 0
  always((payload) => {
    const checked = validate(payload)
    if (E.isLeft(checked)) {
      if (checked.left.errors.length === 0) throw new Error('refused without an error')
      return
    }
    accepted += 1
    const encoded = accountPayload.encode(checked.right.value)
    if (JSON.stringify(encoded) !== JSON.stringify(keptPart(payload))) throw new Error('not what was sent')
  })
  t.true(isReplay || accepted > 0)
})

test('validating changes neither the payload nor the prototype of objects, and says the same again', (t) => {
  const before = Reflect.ownKeys(Object.prototype)
  always((payload) => {
    const text = JSON.stringify(payload)
    const first = answerOf(validate(frozen(payload)))
    if (JSON.stringify(payload) !== text) throw new Error('the payload was changed')
    if (answerOf(validate(payload)) !== first) throw new Error('another answer for the same payload')
    if (answerOf(validate(structuredClone(payload))) !== first)
      throw new Error('another answer for an equal payload')
  })
  t.deepEqual(Reflect.ownKeys(Object.prototype), before)
  t.is(({} as Record<string, unknown>)['polluted'], undefined)
})

/** The same fields in the reverse order; free objects are echoed as sent, so they stay. */
const backwards = (value: unknown, isFree = false): unknown => {
  if (isFree || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => backwards(item))
  const holder = {}
  for (const [key, inner] of Object.entries(value).toReversed())
    Object.defineProperty(holder, key, {
      value: backwards(inner, key === 'value'),
      enumerable: true,
    })
  return holder
}

test('the order of keys changes nothing in the answer', (t) => {
  always((payload) => {
    if (answerOf(validate(backwards(payload))) !== answerOf(validate(payload)))
      throw new Error('another answer')
  })
  t.pass()
})
