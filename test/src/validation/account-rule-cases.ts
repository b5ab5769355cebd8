import {
  agreement,
  at,
  line,
  point,
  reading,
  schedule,
  statement,
  withAgreements,
  withCustomers,
  withEntries,
  withLines,
  withPoint,
  withReadings,
  withSchedules,
  withStatements,
} from '../support/account-parts.js'

const words = (text: string): readonly string[] => text.split(' ')

export const withAgreement = (fields: object): object =>
  withAgreements(agreement('2024-01-01', undefined, { ...fields }))
const withReading = (consumption_delta: string): object =>
  withReadings(reading('2024-01-01T00:00:00Z', '2024-02-01T00:00:00Z', { consumption_delta }))

export type Rule = Readonly<{
  code: string
  attr: string
  make: (value: never) => object
  fires: readonly unknown[]
  silent: readonly unknown[]
  isWarning?: boolean
}>

const six = [1, 2, 3, 4, 5, 6]
const landline = (text: string): object => withCustomers({ landline: text })

/** The rules over one field of an account, by values of the field. */
export const rules: readonly Rule[] = [
  {
    code: 'contractual_max_power_needs_six_values',
    attr: `${point}.agreements.0.contractual_max_power`,
    make: withAgreement,
    fires: [[], [1], [...six, 7]].map((contractual_max_power) => ({ contractual_max_power })),
    silent: [{ contractual_max_power: six }, {}],
  },
  {
    code: 'invalid_annual_consumption',
    attr: `${point}.agreements.0.annual_consumption`,
    make: (annual_consumption: string) => withAgreement({ annual_consumption }),
    fires: ['-1', '1,5', '3 000', '1e3', 'kWh', '+1'],
    silent: words('0 -0 3500 12.5'),
    isWarning: true,
  },
  {
    code: 'readings_indicate_negative_consumption',
    attr: `${point}.readings.0.consumption_delta`,
    make: withReading,
    fires: words('-1 -0.000001 -10'),
    silent: words('0 -0 -0.00 1'),
    isWarning: true,
  },
  {
    code: 'invalid_payment_day_for_payment_schedule',
    attr: 'payment_schedules.0.day_of_month',
    make: (day_of_month: number) => withSchedules(schedule({ day_of_month })),
    fires: [29, 31],
    silent: [1, 28],
    isWarning: true,
  },
  {
    code: 'line_item_units_must_be_two_values',
    attr: 'ledgers.0.current_statement_transactions.0.line_items.0.units',
    make: (units: readonly unknown[]) => withLines(line({ units })),
    fires: [[], [1], [1, 2, 3]],
    silent: [[1, '2'], undefined],
    isWarning: true,
  },
  ...[
    {
      attr: 'customers.0.family_name',
      make: (family_name: string) => withCustomers({ family_name }),
    },
    {
      attr: 'customers.0.user_details.0.value',
      make: (value: string) => withCustomers({ user_details: [{ namespace: 'second_family_name', value }] }),
    },
    { attr: 'billing_address3', make: (billing_address3: string) => ({ billing_address3 }) },
    {
      attr: 'supply_addresses.0.supply_address.structured_street_address.street_name',
      make: (street_name: string) => withEntries(at('ES', { structured_street_address: { street_name } })),
    },
  ].flatMap((place): readonly Rule[] => [
    {
      ...place,
      code: 'wrongly_decoded_text',
      fires: ['Pe\ufffda', 'MuÃ±oz'],
      silent: ['Peña', 'JOÃO'],
      isWarning: true,
    },
    {
      ...place,
      code: 'missing_value_as_text',
      fires: ['undefined Molina', 'Null'],
      silent: ['Nullmeier', 'Nan'],
      isWarning: true,
    },
    {
      ...place,
      code: 'line_break_in_text',
      fires: ['Soler;y\n3;Gil', 'Mas\r\n', 'Mas\u2028Gil'],
      silent: ['Soler y Gil', 'Mas\tGil'],
      isWarning: true,
    },
  ]),
  {
    code: 'missing_value_as_text',
    attr: 'external_account_number',
    make: (external_account_number: string) => ({ external_account_number }),
    fires: ['undefined', 'LEV-null', '[object Object]'],
    silent: ['LEV-1', 'null1'],
    isWarning: true,
  },
  {
    code: 'missing_value_as_text',
    attr: `${point}.identifier`,
    make: (identifier: string) => withPoint({ identifier }),
    fires: ['NaN', 'ES NULL'],
    silent: ['ES0021000012345678LB'],
    isWarning: true,
  },
  {
    code: 'missing_value_as_text',
    attr: 'references.0.value',
    make: (value: string) => ({ references: [{ namespace: 'crm', value }] }),
    fires: ['undefined'],
    silent: ['C-1'],
    isWarning: true,
  },
  {
    code: 'line_break_in_text',
    attr: 'references.0.value',
    make: (value: string) => ({ references: [{ namespace: 'crm', value }] }),
    fires: ['C-1\nC-2'],
    silent: ['C-1'],
    isWarning: true,
  },
  {
    code: 'possible_test_email_address',
    attr: 'customers.0.email',
    make: (text: string) => withCustomers({ email: text }),
    fires: [
      ...words('test@example.com TEST@example.com xxx@example.com ana@test.com ana@Test.co.uk'),
      ...words('ana@x.invalid ana@x.test ana@x.xx ana@x.y.xxx ana@x.localhost'),
    ],
    silent: words('testa@example.com ana@mytest.com ana@x.test.com ana@x.xxxx'),
    isWarning: true,
  },
  {
    code: 'invalid_phone_number',
    attr: 'customers.0.landline',
    make: landline,
    fires: [
      ...words('+3460000012 +0123456789 +123456 +1234567890123456 07700900123'),
      ...'96 000 01|600000123 ext 4|call me|600000123 / 930000456|600000123,930000456'.split('|'),
      ...'600000123,,|600000123 x|(+34) 600 000 12'.split('|'),
    ],
    silent: [
      ...'+34 600 000 123|0034600000123|600000123|+33 6 12 34 56 78|960-00-01-23|(+34) 600 000 123'.split(
        '|',
      ),
      ...'(0034)600000123|+34(0)600000123|(+34) (0) 600 000 123|600000123,|600 000 123.'.split('|'),
      ...'600000123 ;|+39 (0)6 1234 5678'.split('|'),
    ],
  },
  {
    code: 'doubtful_phone_number',
    attr: 'customers.0.mobile',
    make: (text: string) => withCustomers({ mobile: text }),
    fires: ['960-00-01-23', '+34500000000', '+44 7700 900123'],
    silent: ['+34 600 000 123', '0034600000123', '600000123', '+33 6 12 34 56 78'],
    isWarning: true,
  },
  {
    code: 'doubtful_phone_number',
    attr: 'customers.0.landline',
    make: landline,
    fires: ['+34500000000', '+44 7700 900123'],
    silent: ['960-00-01-23', '600000123'],
    isWarning: true,
  },
  {
    code: 'document_path_outside_root',
    attr: 'statements.0.statement_path',
    make: (statement_path: string) => withStatements(statement({ statement_path })),
    fires: ['../x'],
    silent: ['x/y.pdf'],
  },
  {
    code: 'unknown_field',
    attr: 'statements.0.issued_date',
    make: (issued_date: unknown) => withStatements(statement({ issued_date })),
    fires: ['2024-01-01'],
    silent: [undefined],
    isWarning: true,
  },
]
