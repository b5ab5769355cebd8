import { bundledMarkets, type LocalDate } from '@account-import/core'
import { E } from '@account-import/core/fp'
import { checkAccountPayload } from '@account-import/core/payloads'
import { generateAccounts } from '@account-import/example-generate-accounts'
import test, { type ExecutionContext } from 'ava'
import { portugal } from '../support/portugal.js'
import { fc, holds } from '../support/properties.js'
import { sample } from '../support/samples.js'
import { edgeValues } from '../validation/edge-values.js'
import { everyCodec } from '../validation/every-codec.js'
import { mutate, mutations, originals } from '../validation/mutations.js'
import { accountWith, codesOf, contextWith } from '../validation/support.js'
import { ruleCases } from './rule-cases.js'

const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10)

/** Days in a row, each third month of two years, and far days: dates of the payloads are on both sides of them. */
const days: readonly string[] = [
  '1900-01-01',
  '2000-02-29',
  ...Array.from({ length: 10 }, (_, index) => dayOf(Date.UTC(2025, 7, 26 + index))),
  ...Array.from({ length: 8 }, (_, index) => dayOf(Date.UTC(2024, 3 * index + 1, 29))),
  '2030-01-01',
  '2999-01-01',
  '9999-12-31',
].toSorted()

const markets = [...bundledMarkets, portugal]
const everyMarket = { markets: markets.map(({ market }) => market) }

/** The errors and warnings of a payload on a day. */
const findingsOn = (payload: unknown, today: string): readonly string[] => {
  const context = { ...contextWith(everyMarket), today: today as LocalDate }
  const checked = checkAccountPayload(payload, context, [], markets)
  const found = E.isLeft(checked)
    ? [...checked.left.errors, ...checked.left.warnings]
    : checked.right.warnings
  return found.map(({ attr, code }) => `${attr} ${code}`)
}

/** The findings that a payload has on a later day and did not have before. */
const newFindings = (payload: unknown, inOrder: readonly string[] = days): readonly string[] => {
  let before: ReadonlySet<string> | undefined
  const found: string[] = []
  for (const day of inOrder) {
    const now = findingsOn(payload, day)
    const known = before
    if (known !== undefined)
      found.push(...now.filter((each) => !known.has(each)).map((each) => `${day}: ${each}`))
    before = new Set(now)
  }
  return found
}

const stays = (t: ExecutionContext, payloads: Iterable<unknown>): void => {
  let count = 0
  for (const payload of payloads) {
    t.deepEqual(newFindings(payload), [])
    count += 1
  }
  t.true(count > 0)
}

test('the days of this test matter: a date in the future is an error until its day', (t) => {
  const account = {
    ...sample('gas-account.json'),
    notes: [{ body: 'b', created_at: '2025-09-01T10:00:00Z' }],
  }
  const isFuture = (day: string) => findingsOn(account, day).some((each) => each.includes('future'))
  t.deepEqual([isFuture('2025-08-31'), isFuture('2025-09-01'), isFuture('2025-09-02')], [true, false, false])
})

test('the samples have no new finding on a later day', (t) => {
  stays(
    t,
    ['gas-account.json', 'electricity-account.json', 'invalid-account.json'].map((name) => sample(name)),
  )
})

test('generated accounts have no new finding on a later day', (t) => {
  const accounts = generateAccounts({ count: 30, invalidShare: 0.3, warningShare: 0.3 })
  stays(
    t,
    [...accounts].map(({ payload }) => payload),
  )
})

for (const { code, fires, silent } of ruleCases)
  test(`the rule ${code} (${fires[0]?.[0]} …) finds nothing new on a later day`, (t) => {
    stays(
      t,
      [...fires, ...silent].map(([, fields]) => accountWith({ unknown_occupier: true, ...fields })),
    )
  })

test('changed accounts have no new finding on a later day', (t) => {
  const day = fc.date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  holds(
    t,
    150,
    [fc.constantFrom(...originals), mutations, fc.array(day, { minLength: 2, maxLength: 6 })],
    (original, changes, dates) => {
      const payload = JSON.parse(original) as Record<string, unknown>
      mutate(payload, changes)
      const inOrder = [...new Set(dates.map((each) => dayOf(each.getTime())))].toSorted()
      return newFindings(payload, inOrder).length === 0
    },
  )
})

test('the codec of each field reads a value in the same way on another day', (t) => {
  const [first, last] = ['1900-01-01', '9999-12-31'].map((today) => ({
    ...contextWith(everyMarket),
    today: today as LocalDate,
  }))
  const codecs = everyCodec()
  t.true(codecs.length > 50)
  for (const codec of codecs)
    for (const value of edgeValues)
      t.deepEqual(codesOf(codec, value, first), codesOf(codec, value, last), codec.name)
})
