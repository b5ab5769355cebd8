import test from 'ava'
import {
  bundledMarkets,
  catalogue,
  defaultServiceSettings,
  makeUseCases,
  type MarketPack,
  type UseCases,
} from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { changeableWarning, marketPack, type Guide } from '@account-import/core/markets'
import { left, organisation, right, service } from '../../use-cases/support/service.js'
import { accountWith } from '../../validation/support.js'
import { portugal } from '../../support/portugal.js'

const withMarkets = (markets: readonly MarketPack[]) => ({
  settings: { ...defaultServiceSettings, markets },
})

const submission = {
  organisation,
  payload: {
    ...accountWith({
      customers: [{ account_roles: ['ACCOUNT_HOLDER'], family_name: 'Silva' }],
      supply_addresses: [
        {
          supply_address: { postal_code: '1000', country: 'PT' },
          customer_at_supply_address_from_date: '2024-01-01',
          supply_points: [],
        },
      ],
    }),
    import_supplier: 'LEVANTE',
  },
}

type Entry = Readonly<{ attr: string; code: string }>

const inShort = (entries: readonly Entry[]): readonly string[] =>
  entries.filter(({ code }) => /portuguese|market/.test(code)).map(({ attr, code }) => `${attr} ${code}`)

const warningsOf = async ({ validateAccount }: UseCases): Promise<readonly string[]> =>
  inShort((await right(validateAccount(submission))).warnings)

const found = 'supply_addresses.0.supply_address.postal_code invalid_portuguese_postcode'

test('a pack from outside validates accounts of suppliers that are made in a service with it, in its own words', async (t) => {
  const { useCases } = await service(withMarkets([...bundledMarkets, portugal]))
  t.deepEqual((await right(useCases.operator.showSupplier('LEVANTE'))).settings.markets, ['ES', 'PT'])
  const { warnings } = await right(useCases.validateAccount(submission))
  t.deepEqual(inShort(warnings), [found])
  t.true(warnings.some(({ detail }) => detail === portugal.codes['invalid_portuguese_postcode']?.detail))
})

test('a supplier chooses the severity of its codes and leaves the market, as with bundled ones', async (t) => {
  const { useCases } = await service(withMarkets([...bundledMarkets, portugal]))
  const configure = (change: object) =>
    useCases.operator.configureSupplier({ code: 'LEVANTE', change: (saved) => ({ ...saved, ...change }) })
  await right(configure({ severities: { invalid_portuguese_postcode: 'error' } }))
  const refusal = await left(useCases.stageAccount(submission))
  t.deepEqual('errors' in refusal ? inShort(refusal.errors) : refusal, [found])
  await right(configure({ markets: ['ES'] }))
  t.deepEqual(await warningsOf(useCases), [])
})

test('a service without the pack knows neither its market nor its codes', async (t) => {
  const { useCases } = await service()
  for (const [change, fault] of [
    [{ markets: ['PT'] }, 'markets.0 invalid_choice'],
    [
      { severities: { invalid_portuguese_postcode: 'warn' } },
      'severities.invalid_portuguese_postcode invalid_choice',
    ],
  ] as const) {
    const input = { code: 'LEVANTE', change: (saved: object) => ({ ...saved, ...change }) as never }
    const refusal = await left(useCases.operator.configureSupplier(input))
    t.deepEqual('errors' in refusal ? refusal.errors.map(({ attr, code }) => `${attr} ${code}`) : refusal, [
      fault,
    ])
  }
})

test('where a pack that a supplier names is gone, every account says so, and the operator can take it back', async (t) => {
  const before = await service(withMarkets([...bundledMarkets, portugal]))
  const severities = { invalid_portuguese_postcode: 'error' } as const
  await right(
    before.useCases.operator.configureSupplier({
      code: 'LEVANTE',
      change: (saved) => ({ ...saved, severities }),
    }),
  )
  const useCases = makeUseCases({ ...before.ports, ...withMarkets(bundledMarkets) })
  t.deepEqual(await warningsOf(useCases), [' market_rules_not_available'])
  const configure = (change: object) =>
    useCases.operator.configureSupplier({ code: 'LEVANTE', change: (saved) => ({ ...saved, ...change }) })
  const refusal = await left(configure({ migrationEmails: true }))
  t.deepEqual('errors' in refusal ? refusal.errors.map(({ attr, code }) => `${attr} ${code}`) : refusal, [
    'markets.1 invalid_choice',
  ])
  t.deepEqual((await right(configure({ markets: ['ES'] }))).settings.severities, severities)
  t.deepEqual(await warningsOf(useCases), [])
})

test('the ports in memory have the bundled markets', (t) => {
  t.deepEqual(
    inMemoryPorts().settings.markets.map(({ market }) => market),
    ['ES'],
  )
})

test('a code without a guide, of the service, or that the pack lacks does not compile', (t) => {
  const guide: Guide = { means: '', causes: [], fix: [], at: [], example: { bad: '', good: '' }, related: [] }
  const code = changeableWarning('Correct it.')
  const packs = [
    // @ts-expect-error: a guide is missing
    marketPack({ market: 'XX', codes: { a: code, b: code }, guides: { a: guide }, rules: [] }),
    // @ts-expect-error: a code of the service
    marketPack({ market: 'XX', codes: { required: code }, guides: { required: guide }, rules: [] }),
    marketPack({
      market: 'XX',
      codes: { a: code },
      guides: { a: guide },
      // @ts-expect-error: a code that the pack lacks
      rules: [(_account, findings) => findings.add('b', undefined)],
    }),
  ]
  t.is(packs.length, 3)
})

test('no bundled market has a code of the service or of another market', (t) => {
  const all = [...Object.keys(catalogue), ...bundledMarkets.flatMap(({ codes }) => Object.keys(codes))]
  t.deepEqual([...new Set(all)], all)
})
