import test from 'ava'
import { defaultServiceSettings, type Ports } from '@account-import/core'
import { makeUseCases } from '@account-import/core/fp'
import { type MarketPack, marketPack } from '@account-import/core/markets'
import { rulesInForce, rulesVersion } from '@account-import/core/testing'
import { portugal } from '../support/portugal.js'
import { textOf } from '../support/repository.js'
import {
  changed,
  configuring,
  gasKey,
  inShort,
  keyOf,
  left,
  processing,
  refusalOf,
  right,
  service,
  staging,
} from './support/service.js'

const settings = { markets: [], defaultCountry: 'ES', timeZone: 'Europe/Madrid' }
const pack = (market: string, version?: string): MarketPack => ({
  market,
  ...(version !== undefined && { version }),
  codes: {},
  rules: [],
})

test('the version of the rules is that of the package', (t) => {
  t.is(rulesVersion, (JSON.parse(textOf('packages/core/package.json')) as { version: string }).version)
})

test('the version of a judgement differs for other rules, market packs, settings of the supplier or defaults', (t) => {
  const names = [
    rulesInForce(settings, { revision: '1' }),
    rulesInForce(settings, { revision: '2' }),
    rulesInForce({ ...settings, defaultCountry: 'PT' }, { revision: '1' }),
    rulesInForce({ ...settings, timeZone: 'Europe/Lisbon' }, { revision: '1' }),
    ...[
      [pack('PT', '1')],
      [pack('PT', '2')],
      [pack('PT', '1'), pack('FR', '1')],
      [pack('PT', '1, FR 1')],
      [pack('PT 1', '1')],
    ].map((markets) => rulesInForce({ ...settings, markets }, { revision: '1' })),
  ]
  t.is(new Set(names).size, names.length)
  for (const name of names) {
    t.true(name?.includes(rulesVersion))
    t.true((name ?? '').length <= 255)
  }
  t.is(rulesInForce(settings, { revision: '1' }), names[0])
})

test('no judgement is stored when a market pack has no version, or its name is longer than 255 characters', (t) => {
  t.is(rulesInForce({ ...settings, markets: [pack('PT', '1'), pack('FR')] }, { revision: '1' }), undefined)
  const nameOf = (length: number) =>
    rulesInForce({ ...settings, markets: [pack('PT', 'x'.repeat(length))] }, { revision: '1' })
  const rest = (nameOf(1) ?? '').length - 1
  t.is(nameOf(255 - rest)?.length, 255)
  t.is(nameOf(256 - rest), undefined)
})

/** A service with a market pack that counts the accounts that it validates, and warns of those of one sales channel. */
const counting = async (version?: string) => {
  const counted = { validations: 0 }
  const counter = marketPack({
    market: 'XX',
    ...(version !== undefined && { version }),
    codes: portugal.codes,
    rules: [
      ({ sales_channel }, findings) => {
        counted.validations += 1
        if (sales_channel === 'SUSPICIOUS')
          findings.add('invalid_portuguese_postcode', undefined, 'sales_channel')
      },
    ],
  })
  const markets = [...defaultServiceSettings.markets, counter]
  const made = await service({ settings: { ...defaultServiceSettings, markets } })
  return {
    ...made,
    /** How many accounts are validated during the work. */
    validationsOf: async (work: () => Promise<unknown>): Promise<number> => {
      const before = counted.validations
      await work()
      return counted.validations - before
    },
  }
}

test('staged data is not validated again when nothing has changed since its validation', async (t) => {
  const { clock, ports, useCases, validationsOf } = await counting('1')
  t.is(await validationsOf(() => right(staging(useCases))), 1)
  clock.pass(86_400)
  t.is(await validationsOf(() => right(processing(makeUseCases(ports)))), 0)
  t.is((await right(ports.accounts.find(gasKey)))?.createdAt, clock.now())
})

const changes: readonly (readonly [
  why: string,
  change: (made: Awaited<ReturnType<typeof counting>>) => Promise<Ports>,
])[] = [
  [
    'the settings of the supplier changed',
    async ({ ports, useCases }) => {
      await right(configuring(useCases, { internalEmailDomains: ['example.com'] }))
      return ports
    },
  ],
  [
    'a market pack has another version',
    async ({ ports }) => {
      const markets = ports.settings.markets.map((each) =>
        each.market === 'XX' ? { ...each, version: '2' } : each,
      )
      return { ...ports, settings: { ...ports.settings, markets } }
    },
  ],
  [
    'the default country of the service changed',
    async ({ ports }) => ({ ...ports, settings: { ...ports.settings, defaultCountry: 'PT' } }),
  ],
]
for (const [why, change] of changes)
  test(`staged data is validated again when ${why}`, async (t) => {
    const made = await counting('1')
    await right(staging(made.useCases))
    const ports = await change(made)
    t.is(await made.validationsOf(() => right(processing(makeUseCases(ports)))), 1)
  })

test('staged data is validated again when a market pack has no version', async (t) => {
  const { useCases, validationsOf } = await counting()
  await right(staging(useCases))
  t.is(await validationsOf(() => right(processing(useCases))), 1)
})

test('the result of processing repeats the warnings of staging, whose data is not validated again', async (t) => {
  const { useCases, validationsOf } = await counting('1')
  const fields = { sales_channel: 'SUSPICIOUS' }
  const staged = await right(staging(useCases, fields))
  t.deepEqual(staged.warnings.map(inShort), ['sales_channel invalid_portuguese_postcode'])
  const answers: (readonly string[])[] = []
  const process = async () => {
    answers.push((await right(processing(useCases))).warnings.map(inShort))
  }
  t.is(await validationsOf(process), 0)
  t.deepEqual(answers, [['sales_channel invalid_portuguese_postcode']])
})

test('data that is staged during the validation of earlier data becomes the account after its own validation', async (t) => {
  const { ports, useCases } = await service()
  const stage = (number: string, billing_name: string) =>
    right(staging(useCases, { external_account_number: number, billing_name }))
  await stage('A', 'first')
  await stage('B', 'only')
  await right(configuring(useCases, { internalEmailDomains: ['example.com'] }))
  let stagesBeside = 1
  const racing = changed(ports, 'accountImports', {
    create: async (creations) => {
      if (creations.some(({ version }) => version === 1) && stagesBeside > 0) {
        stagesBeside -= 1
        await stage('A', 'second')
      }
      return ports.accountImports.create(creations)
    },
  })
  const racer = makeUseCases(racing)
  await right(processing(racer, { external_account_number: 'A' }))
  await right(processing(racer, { external_account_number: 'B' }))
  const names = await Promise.all(
    ['A', 'B'].map(async (number) => (await right(ports.accounts.find(keyOf(number))))?.details.billing_name),
  )
  t.deepEqual(names, ['second', 'only'])
  t.is(stagesBeside, 0)
  t.is((await right(ports.accountImports.find(keyOf('A'))))?.attempts, 1)
})

test('data that is no longer valid is refused with its errors, and the failed attempt is stored once', async (t) => {
  const { ports, useCases } = await service()
  await right(staging(useCases))
  await right(
    configuring(useCases, { closedLists: { sales_channel: { members: ['BROKER'], severity: 'error' } } }),
  )
  for (const attempts of [1, 2]) {
    const refused = await left(processing(useCases))
    t.like(refused, {
      _tag: 'AccountFailedValidation',
      errors: [{ code: 'not_in_supplier_list', attr: 'sales_channel' }],
    })
    t.like(await right(useCases.transferStatus(gasKey)), {
      status: 'UNKNOWN',
      attempts,
      latestError: { code: 'account_failed_validation' },
    })
  }
  t.is(await refusalOf(processing(useCases, { dry_run: true })), 'AccountFailedValidation')
  t.is((await right(useCases.transferStatus(gasKey))).attempts, 2)
  t.is(await right(ports.accounts.find(gasKey)), undefined)
})
