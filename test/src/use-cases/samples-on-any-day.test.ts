import test from 'ava'
import { defaultServiceSettings, makeUseCases, type FieldError } from '@account-import/core'
import { sample, samples } from './support/samples.js'
import { organisation, service, settableClock } from './support/service.js'

/** Time zones, and the instant at which 2025-09-01 begins there. */
const firstInstants = {
  'Europe/Madrid': '2025-08-31T22:00:00Z',
  'Pacific/Kiritimati': '2025-08-31T10:00:00Z',
  'Pacific/Niue': '2025-09-01T11:00:00Z',
} as const

/** Changes of the clock, ends of years, a leap day, and long after. */
const laterInstants = [
  '2025-10-26T01:00:00Z',
  '2025-12-31T23:00:00Z',
  '2026-03-29T00:59:59Z',
  '2028-02-29T12:00:00Z',
  '2100-03-01T00:00:00Z',
  '2998-12-30T23:59:59Z',
] as const

const zones = Object.keys(firstInstants) as (keyof typeof firstInstants)[]
const moments = zones.flatMap((timeZone) =>
  [firstInstants[timeZone], ...laterInstants].map((instant) => ({ timeZone, instant })),
)

const inShort = (entries: readonly FieldError[]): readonly string[] =>
  entries.map(({ attr, code }) => `${attr} ${code}`)

/** What validate and stage find, by a service in a time zone whose clock port shows an instant. */
const answersAt = async (payload: unknown, timeZone: string, instant: string) => {
  const { ports } = await service({
    clock: settableClock(instant),
    settings: { ...defaultServiceSettings, timeZone },
  })
  const { validateAccount, stageAccount } = makeUseCases(ports)
  const answers = [
    await validateAccount({ organisation, payload })(),
    await stageAccount({ organisation, payload })(),
  ]
  return answers.map((answer) => {
    if (answer._tag === 'Right') return { errors: [], warnings: inShort(answer.right.warnings) }
    if (answer.left._tag !== 'AccountFailedValidation') throw new Error(answer.left._tag)
    return { errors: inShort(answer.left.errors), warnings: inShort(answer.left.warnings) }
  })
}

for (const { timeZone, instant } of moments)
  test(`the samples are validated as the catalogue says at ${instant} in ${timeZone}`, async (t) => {
    const nothing = { errors: [], warnings: [] }
    for (const name of ['gas-account', 'electricity-account'])
      t.deepEqual(await answersAt(sample(name), timeZone, instant), [nothing, nothing], name)
    const expected = { errors: inShort(samples('invalid-account.expected') as FieldError[]), warnings: [] }
    t.deepEqual(await answersAt(sample('invalid-account'), timeZone, instant), [expected, expected])
  })

for (const timeZone of zones)
  test(`in ${timeZone} a day lies in the future until the clock port shows its first second there`, async (t) => {
    const ends = (day: string) => ({
      import_supplier: 'LEVANTE',
      external_account_number: 'A-1',
      unknown_occupier: true,
      statements: [{ bill_period_from_date: '2025-08-01', bill_period_to_date: day, statement_id: 'F-1' }],
    })
    const first = firstInstants[timeZone]
    const lastBefore = new Date(Date.parse(first) - 1).toISOString()
    const warned = {
      errors: [],
      warnings: ['statements.0.bill_period_to_date historical_statement_period_end_in_future'],
    }
    const silent = { errors: [], warnings: [] }
    t.deepEqual(await answersAt(ends('2025-09-01'), timeZone, lastBefore), [warned, warned])
    t.deepEqual(await answersAt(ends('2025-09-01'), timeZone, first), [silent, silent])
    t.deepEqual(await answersAt(ends('2025-09-02'), timeZone, first), [warned, warned])
  })
