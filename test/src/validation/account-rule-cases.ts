const supplyPointWith = (fields: object): object => ({
  supply_addresses: [
    {
      supply_address: { country: 'ES' },
      customer_at_supply_address_from_date: '2024-01-01',
      supply_points: [{ identifier: 'X', supply_type: 'GAS', supply_start_date: '2024-01-01', ...fields }],
    },
  ],
})
export const point = 'supply_addresses.0.supply_points.0'
export const withAgreement = (fields: object): object =>
  supplyPointWith({ agreements: [{ tariff_code: 'T', effective_from: '2024-01-01', ...fields }] })
const withReading = (fields: object): object =>
  supplyPointWith({
    readings: [
      {
        meter_serial_number: 'M',
        interval_start: '2024-01-01T00:00:00Z',
        interval_end: '2024-02-01T00:00:00Z',
        consumption_delta: '1',
        ...fields,
      },
    ],
  })
const withSchedule = (fields: object): object => ({
  payment_schedules: [{ means: 'DD', start_date: '2024-01-01', ...fields }],
})
const withLine = (fields: object): object => ({
  ledgers: [
    {
      ledger_code: 'L',
      current_statement_transactions: [
        {
          transaction_id: 'T',
          transaction_date: '2024-01-01',
          amount: 1,
          type: 'CHARGE',
          line_items: [
            {
              start_date: '2024-01-01',
              end_date: '2024-01-02',
              number_of_units: 1,
              net_amount: 1,
              ...fields,
            },
          ],
        },
      ],
    },
  ],
})
const line = 'ledgers.0.current_statement_transactions.0.line_items.0'
export const withCustomer = (fields: object): object => ({ customers: [fields] })

export type Rule = Readonly<{
  code: string
  attr: string
  fires: readonly object[]
  silent: readonly object[]
  isWarning?: boolean
}>

const six = [1, 2, 3, 4, 5, 6]
/** The rules over one field of an account. */
export const rules: readonly Rule[] = [
  {
    code: 'contractual_max_power_needs_six_values',
    attr: `${point}.agreements.0.contractual_max_power`,
    fires: [[], [1], [...six, 7]].map((list) => withAgreement({ contractual_max_power: list })),
    silent: [withAgreement({ contractual_max_power: six }), withAgreement({})],
  },
  {
    code: 'invalid_annual_consumption',
    attr: `${point}.agreements.0.annual_consumption`,
    fires: ['-1', '1,5', '3 000', '1e3', 'kWh', '+1'].map((text) =>
      withAgreement({ annual_consumption: text }),
    ),
    silent: ['0', '-0', '3500', '12.5'].map((text) => withAgreement({ annual_consumption: text })),
    isWarning: true,
  },
  {
    code: 'readings_indicate_negative_consumption',
    attr: `${point}.readings.0.consumption_delta`,
    fires: ['-1', '-0.000001', '-10'].map((text) => withReading({ consumption_delta: text })),
    silent: ['0', '-0', '-0.00', '1'].map((text) => withReading({ consumption_delta: text })),
    isWarning: true,
  },
  {
    code: 'invalid_payment_day_for_payment_schedule',
    attr: 'payment_schedules.0.day_of_month',
    fires: [29, 31].map((day) => withSchedule({ day_of_month: day })),
    silent: [1, 28].map((day) => withSchedule({ day_of_month: day })),
    isWarning: true,
  },
  {
    code: 'line_item_units_must_be_two_values',
    attr: `${line}.units`,
    fires: [[], [1], [1, 2, 3]].map((units) => withLine({ units })),
    silent: [withLine({ units: [1, '2'] }), withLine({})],
    isWarning: true,
  },
  {
    code: 'possible_test_email_address',
    attr: 'customers.0.email',
    fires: [
      'test@example.com',
      'TEST@example.com',
      'xxx@example.com',
      'ana@test.com',
      'ana@Test.co.uk',
      'ana@x.invalid',
    ]
      .concat(['ana@x.test', 'ana@x.xx', 'ana@x.y.xxx', 'ana@x.localhost'])
      .map((email) => withCustomer({ email })),
    silent: ['testa@example.com', 'ana@mytest.com', 'ana@x.test.com', 'ana@x.xxxx'].map((email) =>
      withCustomer({ email }),
    ),
    isWarning: true,
  },
  {
    code: 'invalid_phone_number',
    attr: 'customers.0.landline',
    fires: [
      '96 000 01',
      '+3460000012',
      '+0123456789',
      '+123456',
      '+1234567890123456',
      '600000123 ext 4',
      '07700900123',
      'call me',
    ].map((landline) => withCustomer({ landline })),
    silent: ['+34 600 000 123', '0034600000123', '600000123', '+33 6 12 34 56 78', '960-00-01-23'].map(
      (landline) => withCustomer({ landline }),
    ),
  },
  {
    code: 'doubtful_phone_number',
    attr: 'customers.0.mobile',
    fires: ['960-00-01-23', '+34500000000', '+44 7700 900123'].map((mobile) => withCustomer({ mobile })),
    silent: ['+34 600 000 123', '0034600000123', '600000123', '+33 6 12 34 56 78'].map((mobile) =>
      withCustomer({ mobile }),
    ),
    isWarning: true,
  },
  {
    code: 'doubtful_phone_number',
    attr: 'customers.0.landline',
    fires: ['+34500000000', '+44 7700 900123'].map((landline) => withCustomer({ landline })),
    silent: ['960-00-01-23', '600000123'].map((landline) => withCustomer({ landline })),
    isWarning: true,
  },
  {
    code: 'document_path_outside_root',
    attr: 'statements.0.statement_path',
    fires: [withStatement({ statement_path: '../x' })],
    silent: [withStatement({ statement_path: 'x/y.pdf' })],
  },
  {
    code: 'unknown_field',
    attr: 'statements.0.issued_date',
    fires: [withStatement({ issued_date: '2024-01-01' })],
    silent: [withStatement({})],
    isWarning: true,
  },
]

function withStatement(fields: object): object {
  return {
    statements: [
      {
        bill_period_from_date: '2024-01-01',
        bill_period_to_date: '2024-01-31',
        statement_id: 'S',
        ...fields,
      },
    ],
  }
}
