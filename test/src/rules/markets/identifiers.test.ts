import test from 'ava'
import { detailed, validateSpanish, pointAt, supplied } from './support.js'
import { atrTariffs, cups, fiscalCodes, fourDigits, postcodes } from './spanish-values.js'

type FieldCase = Readonly<{
  /** Where two have one code. */
  of?: string
  code: string
  attr: string
  with: (value: string) => object
  right: readonly string[]
  wrong: readonly string[]
}>

const tariff = (supply_type: 'ELECTRICITY' | 'GAS'): FieldCase => ({
  of: ` of ${supply_type}`,
  code: 'unknown_atr_tariff',
  attr: `${pointAt}.atr_tariffs.1.value`,
  with: (value) =>
    supplied({
      supply_type,
      atr_tariffs: [
        { value: supply_type === 'GAS' ? 'RL.1' : '2.0TD', valid_from: '2024-01-01' },
        { value, valid_from: '2024-02-01' },
      ],
    }),
  ...atrTariffs[supply_type],
})

const fieldCases: readonly FieldCase[] = [
  {
    code: 'invalid_supply_point_identifier',
    attr: `${pointAt}.identifier`,
    with: (identifier) => supplied({ identifier }),
    ...cups,
  },
  {
    code: 'invalid_fiscal_code',
    attr: 'customers.0.user_details.1.value',
    with: (value) => detailed(value),
    ...fiscalCodes,
  },
  tariff('ELECTRICITY'),
  tariff('GAS'),
  {
    code: 'invalid_postcode',
    attr: 'supply_addresses.0.supply_address.postal_code',
    with: (postal_code) => supplied({}, { postal_code }),
    right: [...postcodes.right, '', ' \u00a0'],
    wrong: postcodes.wrong,
  },
  {
    code: 'invalid_distributor_ree_code',
    attr: `${pointAt}.distributor_ree_code`,
    with: (distributor_ree_code) => supplied({ distributor_ree_code, identifier: 'none' }),
    right: [],
    wrong: fourDigits.wrong,
  },
  {
    code: 'invalid_cnae',
    attr: `${pointAt}.agreements.0.cnae`,
    with: (cnae) => supplied({ agreements: [{ tariff_code: 'T', effective_from: '2024-01-01', cnae }] }),
    ...fourDigits,
  },
]

const among = (entries: readonly string[], code: string): readonly string[] =>
  entries.filter((entry) => entry.endsWith(` ${code}`))

for (const { code, of = '', attr, with: fields, right, wrong } of fieldCases) {
  test(`${code}${of} at ${attr} tells right values from wrong ones`, (t) => {
    for (const value of right)
      t.deepEqual(validateSpanish(fields(value)), { errors: [], warnings: [] }, value)
    for (const value of wrong)
      t.deepEqual(among(validateSpanish(fields(value)).warnings, code), [`${attr} ${code}`], value)
  })

  test(`${code}${of} at ${attr} can be raised to an error or switched off for a supplier`, (t) => {
    const [value = ''] = wrong
    const raised = validateSpanish(fields(value), { severities: { [code]: 'error' } })
    t.deepEqual(among(raised.errors, code), [`${attr} ${code}`])
    t.deepEqual(among(raised.warnings, code), [])
    const off = validateSpanish(fields(value), { severities: { [code]: 'off' } })
    t.deepEqual(among([...off.errors, ...off.warnings], code), [])
  })
}

test('a distributor code is compared with the one inside a CUPS that passes, however it is written', (t) => {
  const mismatch = `${pointAt}.distributor_ree_code distributor_ree_code_mismatch`
  const of = (identifier: string, distributor_ree_code: string) =>
    validateSpanish(supplied({ identifier, distributor_ree_code })).warnings
  t.deepEqual(of('es 0021 0000 1234 5678 lb', '0021'), [])
  t.deepEqual(of('es 0021 0000 1234 5678 lb', '0022'), [mismatch])
  t.deepEqual(of('ES0021000012345678LC', '0022'), [`${pointAt}.identifier invalid_supply_point_identifier`])
  t.deepEqual(of('ES0021000012345678LB', '22'), [
    `${pointAt}.distributor_ree_code invalid_distributor_ree_code`,
  ])
  t.deepEqual(
    validateSpanish(supplied({ distributor_ree_code: '0022' }), {
      severities: { distributor_ree_code_mismatch: 'error' },
    }).errors,
    [mismatch],
  )
})

const allWrong = {
  identifier: 'X',
  distributor_ree_code: '1',
  atr_tariffs: [{ value: 'no', valid_from: '2024-01-01' }],
  agreements: [{ tariff_code: 'T', effective_from: '2024-01-01', cnae: '1' }],
}

test('at addresses in other countries, and where no country could be read, nothing is checked', (t) => {
  t.is(validateSpanish(supplied(allWrong, { postal_code: '1' })).warnings.length, 5)
  for (const country of ['PT', 'es', ' ', null, 1])
    t.deepEqual(validateSpanish(supplied(allWrong, { postal_code: '1', country })), {
      errors: [],
      warnings: [],
    })
  const [entry] = (supplied(allWrong) as { supply_addresses: readonly object[] }).supply_addresses
  for (const supply_address of [{}, undefined, null, 'ES'])
    t.deepEqual(validateSpanish({ supply_addresses: [{ ...entry, supply_address }] }), {
      errors: [],
      warnings: [],
    })
})

test('fields that could not be read are not validated, and stop nothing beside them', (t) => {
  const unreadable = {
    identifier: null,
    distributor_ree_code: ' ',
    supply_type: 'WATER',
    atr_tariffs: [{ value: 'no', valid_from: '2024-01-01' }, null, { value: 1 }],
    agreements: [null, { cnae: 7 }, { tariff_code: 'T', effective_from: '2024-01-01', cnae: '1' }],
  }
  t.deepEqual(validateSpanish(supplied(unreadable)).warnings, [`${pointAt}.agreements.2.cnae invalid_cnae`])
  for (const value of [null, ' ', 7, {}]) t.deepEqual(validateSpanish(detailed(value)).warnings, [])
  for (const namespace of ['FISCAL_CODE', 'fiscal_code ', null])
    t.deepEqual(validateSpanish(detailed('wrong', namespace)).warnings, [])
})

test('a supplier whose markets do not have Spain gets none of it', (t) => {
  t.deepEqual(validateSpanish({ ...supplied(allWrong), ...detailed('wrong') }, { markets: [] }), {
    errors: [],
    warnings: [],
  })
})

test('where more errors and warnings than are told come before, what is supplied is left out', (t) => {
  const detail = { namespace: 'fiscal_code', value: '1' }
  const customer = { account_roles: ['ACCOUNT_HOLDER'], user_details: [detail], given_name: 1 }
  const supply = supplied({ identifier: 'X' })
  t.is(validateSpanish({ customers: [customer], ...supply }).warnings.length, 2)
  const many = validateSpanish({ customers: Array.from({ length: 1500 }, () => customer), ...supply })
  t.is(many.warnings.length, 1000)
  t.true(many.warnings.every((entry) => entry.endsWith('value invalid_fiscal_code')))
})
