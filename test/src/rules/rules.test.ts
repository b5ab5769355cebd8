import test from 'ava'
import {
  bundledMarkets,
  catalogue,
  defaultServiceSettings,
  type FieldError,
  type MarketPack,
  type UseCases,
} from '@account-import/core'
import { makeUseCases } from '@account-import/core/fp'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { changeableWarning, marketPack } from '@account-import/core/markets'
import { at, supplyPoint, withEntries } from '../support/account-parts.js'
import { portugal } from '../support/portugal.js'
import { textOf } from '../support/repository.js'
import { sample } from '../support/samples.js'
import {
  inShort,
  left,
  organisation,
  right,
  service,
  settableClock,
  validated,
} from '../use-cases/support/service.js'
import { accountWith } from '../validation/support.js'
import { ruleCases } from './rule-cases.js'
import { validate } from './support.js'

const sorted = (entries: readonly string[]): readonly string[] => [...entries].sort()

for (const { code, under = '', isWarning, fires, silent } of ruleCases) {
  const name = `${code} (${fires[0]?.[0]} …)`
  const entriesOf = (entries: readonly string[]) =>
    entries.map((entry) => (entry.startsWith('.') ? `${under}${entry}` : entry))
  const expectedAt = (at: string | readonly string[]) =>
    entriesOf([at].flat()).map((path) => `${path} ${code}`)
  const ofCode = (entries: readonly string[]) => entries.filter((entry) => entry.endsWith(` ${code}`))

  test(`${name} fires in these cases, ${isWarning ? 'as a warning' : 'as an error'}, at the right paths`, (t) => {
    for (const [why, fields, at, others = []] of fires) {
      const { errors, warnings } = validate(fields)
      const expected = expectedAt(at)
      t.deepEqual(sorted([...errors, ...warnings]), sorted([...expected, ...entriesOf(others)]), why)
      t.deepEqual(ofCode(isWarning ? warnings : errors), expected, why)
    }
  })
  test(`${name} does not fire in other cases`, (t) => {
    for (const [why, fields, others = []] of silent) {
      const { errors, warnings } = validate(fields)
      t.deepEqual(sorted([...errors, ...warnings]), sorted(entriesOf(others)), why)
    }
  })
  test(`${name} ${isWarning ? 'can be made an error or nothing' : 'cannot be changed'} by settings`, (t) => {
    const [, fields = {}, at = ''] = fires[0] ?? []
    const foundAs = (severity: 'error' | 'off') => {
      const { errors, warnings } = validate(fields, { severities: { [code]: severity } })
      return [ofCode(errors), ofCode(warnings)]
    }
    t.deepEqual(foundAs('error'), [expectedAt(at), []])
    t.deepEqual(foundAs('off'), [isWarning ? [] : expectedAt(at), []])
  })
}

test('the page of the rules over several fields names each of them', (t) => {
  const page = textOf('docs/reference/rules.md')
  const codes = new Set(ruleCases.map(({ code }) => code))
  const apart = ['account_without_supply_points']
  const named = [...page.matchAll(/\[`(\w+)`\]/g)].map(([, code = '']) => code)
  t.deepEqual(named.toSorted(), [...codes, ...apart].toSorted())
})

const withMarkets = (markets: readonly MarketPack[]) => ({
  settings: { ...defaultServiceSettings, markets },
})

const submission = {
  organisation,
  payload: accountWith(withEntries({ ...at('PT', { postal_code: '1000' }), supply_points: [] })),
}

type Entry = Readonly<{ attr: string; code: string }>

const marketEntries = (entries: readonly Entry[]): readonly string[] =>
  entries.filter(({ code }) => /portuguese|market/.test(code)).map(({ attr, code }) => `${attr} ${code}`)

const configure = ({ operator }: UseCases, change: object) =>
  operator.configureSupplier({ code: 'LEVANTE', change: (saved) => ({ ...saved, ...change }) })

const faultsOf = async (useCases: UseCases, change: object) => {
  const refusal = await left(configure(useCases, change))
  return 'errors' in refusal ? refusal.errors.map(({ attr, code }) => `${attr} ${code}`) : refusal
}

const warningsOf = async ({ validateAccount }: UseCases): Promise<readonly string[]> =>
  marketEntries((await right(validateAccount(submission))).warnings)

const found = 'supply_addresses.0.supply_address.postal_code invalid_portuguese_postcode'

test('an external pack validates accounts of suppliers that a service with it created, with its own texts', async (t) => {
  const { useCases } = await service(withMarkets([...bundledMarkets, portugal]))
  t.deepEqual((await right(useCases.operator.showSupplier('LEVANTE'))).settings.markets, ['ES', 'PT'])
  const { warnings } = await right(useCases.validateAccount(submission))
  t.deepEqual(marketEntries(warnings), [found])
  t.true(warnings.some(({ detail }) => detail === portugal.codes['invalid_portuguese_postcode']?.detail))
})

test('a supplier chooses the severity of codes of an external pack and leaves its market, as with bundled ones', async (t) => {
  const { useCases } = await service(withMarkets([...bundledMarkets, portugal]))
  await right(configure(useCases, { severities: { invalid_portuguese_postcode: 'error' } }))
  const refusal = await left(useCases.stageAccount(submission))
  t.deepEqual('errors' in refusal ? marketEntries(refusal.errors) : refusal, [found])
  await right(configure(useCases, { markets: ['ES'] }))
  t.deepEqual(await warningsOf(useCases), [])
})

test('a service without the pack has neither its market nor its codes', async (t) => {
  const { useCases } = await service()
  const severities = { invalid_portuguese_postcode: 'warn' }
  t.deepEqual(await faultsOf(useCases, { markets: ['PT'] }), ['markets.0 invalid_choice'])
  t.deepEqual(await faultsOf(useCases, { severities }), [
    'severities.invalid_portuguese_postcode invalid_choice',
  ])
})

test('every account reports the missing pack of a supplier, and the operator can remove it', async (t) => {
  const before = await service(withMarkets([...bundledMarkets, portugal]))
  const severities = { invalid_portuguese_postcode: 'error' } as const
  await right(configure(before.useCases, { severities }))
  const useCases = makeUseCases({ ...before.ports, ...withMarkets(bundledMarkets) })
  t.deepEqual(await warningsOf(useCases), [' market_rules_not_available'])
  t.deepEqual(await faultsOf(useCases, { migrationEmails: true }), ['markets.1 invalid_choice'])
  t.deepEqual((await right(configure(useCases, { markets: ['ES'] }))).settings.severities, severities)
  t.deepEqual(await warningsOf(useCases), [])
})

test('the ports in memory have the bundled markets', (t) => {
  const markets = inMemoryPorts().settings.markets.map(({ market }) => market)
  t.deepEqual(markets, ['ES'])
})

test('a code of the service, or one that the pack lacks, does not compile', (t) => {
  const code = changeableWarning('Correct it.')
  const packs = [
    // @ts-expect-error: a code of the service
    marketPack({ market: 'XX', codes: { required: code }, rules: [] }),
    marketPack({
      market: 'XX',
      codes: { a: code },
      // @ts-expect-error: a code that the pack lacks
      rules: [(_account, findings) => findings.add('b', undefined)],
    }),
  ]
  t.is(packs.length, 2)
})

test('no bundled market has a code of the service or of another market', (t) => {
  const all = [...Object.keys(catalogue), ...bundledMarkets.flatMap(({ codes }) => Object.keys(codes))]
  t.deepEqual([...new Set(all)], all)
})

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

/** The findings of validate and stage, by a service in a time zone whose clock port shows an instant. */
const answersAt = async (payload: unknown, timeZone: string, instant: string) => {
  const settings = { ...defaultServiceSettings, timeZone }
  return validated((await service({ clock: settableClock(instant), settings })).useCases, payload)
}

for (const { timeZone, instant } of moments)
  test(`the samples have the findings of the catalogue at ${instant} in ${timeZone}`, async (t) => {
    const nothing = { errors: [], warnings: [] }
    for (const name of ['gas-account', 'electricity-account'])
      t.deepEqual(await answersAt(sample(`${name}.json`), timeZone, instant), nothing, name)
    const expected = {
      errors: (sample('invalid-account.expected.json') as unknown as FieldError[]).map(inShort),
      warnings: [],
    }
    t.deepEqual(await answersAt(sample('invalid-account.json'), timeZone, instant), expected)
  })

for (const timeZone of zones)
  test(`a day in ${timeZone} is in the future until the clock port reaches its first second there`, async (t) => {
    const ends = (day: string) => ({
      import_supplier: 'LEVANTE',
      external_account_number: 'A-1',
      unknown_occupier: true,
      account_type: 'SYSTEM',
      statements: [{ bill_period_from_date: '2025-08-01', bill_period_to_date: day, statement_id: 'F-1' }],
    })
    const first = firstInstants[timeZone]
    const lastBefore = new Date(Date.parse(first) - 1).toISOString()
    const warned = {
      errors: [],
      warnings: ['statements.0.bill_period_to_date historical_statement_period_end_in_future'],
    }
    const silent = { errors: [], warnings: [] }
    t.deepEqual(await answersAt(ends('2025-09-01'), timeZone, lastBefore), warned)
    t.deepEqual(await answersAt(ends('2025-09-01'), timeZone, first), silent)
    t.deepEqual(await answersAt(ends('2025-09-02'), timeZone, first), warned)
  })

test('an account without supply points gets a warning unless its type needs none or its addresses cannot be read', (t) => {
  const severities = { account_without_supply_points: 'warn' } as const
  const isFound = (fields: object): boolean =>
    validate(fields, { severities }).warnings.includes('supply_addresses account_without_supply_points')
  const empty = { ...at('PT'), supply_points: [] }
  for (const fields of [
    {},
    { supply_addresses: [] },
    withEntries(empty, empty),
    { account_type: 'BUSINESS' },
  ])
    t.true(isFound(fields), JSON.stringify(fields))
  const silent = [
    withEntries(empty, { ...at('PT'), supply_points: [supplyPoint()] }),
    withEntries({ ...at('PT'), supply_points: [null] }),
    withEntries({ ...at('PT'), supply_points: 1 }),
    withEntries(null),
    { supply_addresses: 'x' },
    { account_type: 'SYSTEM' },
    { account_type: 'PORTFOLIO_LEAD' },
  ]
  for (const fields of silent) t.false(isFound(fields), JSON.stringify(fields))
})
