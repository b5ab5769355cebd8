const MEGABYTES_5 = 5 * 1024 * 1024
const times = <A>(length: number, make: (index: number) => A): readonly A[] =>
  Array.from({ length }, (_, i) => make(i))
const object = (length: number, key: (index: number) => string): object =>
  Object.fromEntries(times(length, (index) => [key(index), 1]))
const nested = (levels: number): object => {
  let value: object = {}
  for (let level = 0; level < levels; level++) value = { a: value }
  return value
}

const ledgers = (length: number, lists: () => object): object => ({
  ledgers: times(length, (index) => ({ ledger_code: `L${index}`, ...lists() })),
})
const supplyPoint = (fields: object): object => ({
  supply_addresses: [
    {
      supply_address: { country: 'PT' },
      customer_at_supply_address_from_date: '2024-01-01',
      supply_points: [{ identifier: 'X', supply_type: 'GAS', supply_start_date: '2024-01-01', ...fields }],
    },
  ],
})

/** Fields of accounts of at most about 5 MB as JSON, made to be slow to judge. None is valid. */
export const hostileAccounts: Readonly<Record<string, () => object>> = {
  'one long text': () => ({ billing_name: 'x'.repeat(MEGABYTES_5) }),
  'one long text of pairs': () => ({ billing_name: '😀'.repeat(MEGABYTES_5 / 4) }),
  'one long blank': () => ({ sales_channel: ' '.repeat(MEGABYTES_5) }),
  'a million nulls': () => ({
    supply_addresses: times(100, () => ({ supply_points: times(10_000, () => null) })),
  }),
  'a million items': () => ({ notes: times(1_000_000, () => ({})) }),
  'ten errors and warnings in each of 10 000 items': () => ({
    customers: times(10_000, () => ({
      given_name: null,
      email: '@',
      mobile: 'x',
      user_details: {},
      x: 1,
      y: 1,
    })),
  }),
  'unknown keys in falling order': () => object(430_000, (index) => `k${900_000 - index}`),
  'keys that cannot be shown': () => object(400_000, (index) => `k ${index}`),
  'special keys': () => ({
    metadata: times(5000, () => ({
      key: 'k',
      value: JSON.parse('{"__proto__":{"a":1},"constructor":{"b":"\\u0000"}}'),
    })),
    references: times(5000, () => JSON.parse('{"__proto__":{"namespace":"n","value":"v"}}')),
  }),
  'deep nesting in a free object': () => ({ metadata: [{ key: 'k', value: nested(400_000) }] }),
  'deep nesting where an object belongs': () => ({ customers: [nested(400_000)] }),
  'escaped document paths': () => ({
    notes: [{ document_paths: times(5000, () => ({ document_path: '%2525'.repeat(200) })) }],
  }),
  'document paths that grow when normalised': () => ({
    notes: [{ document_paths: times(5000, () => ({ document_path: 'ﷺ'.repeat(333) })) }],
  }),
  'phone numbers of brackets': () => ({
    customers: times(10_000, () => ({ mobile: '1-'.repeat(15) + 'x', landline: `+1 ${'('.repeat(29)}` })),
  }),
  'e-mail addresses of many labels': () => ({
    customers: times(10_000, () => ({ email: `a@${'é-é.'.repeat(60)}11` })),
  }),
  '100 lists of items that are wrong': () =>
    ledgers(100, () => ({ current_statement_transactions: times(9999, () => null) })),
  'a million and a half empty transactions': () =>
    ledgers(85, () => ({
      current_statement_transactions: times(9999, () => ({})),
      historical_statement_transactions: times(9999, () => ({})),
    })),
  'a million and a half empty supply points': () => ({
    supply_addresses: times(170, () => ({ supply_points: times(9999, () => ({})) })),
  }),
  'empty line items': () =>
    ledgers(1, () => ({
      current_statement_transactions: times(170, () => ({ line_items: times(9999, () => ({})) })),
    })),
  'credits without reason': () =>
    ledgers(30, () => ({ current_statement_transactions: times(9999, () => ({ type: 'CREDIT' })) })),
  'unknown fields in every item': () =>
    ledgers(35, () => ({ current_statement_transactions: times(9999, () => ({ a: 1, b: 2 })) })),
  '10 000 transactions of one id, each with what doubles cannot hold': () =>
    ledgers(1, () => ({
      ledger_balance: 1,
      current_statement_transactions: times(10_000, () => ({
        transaction_id: 'T',
        transaction_date: '2999-01-01',
        amount: '-9999999999.99',
        type: 'PAYMENT',
        line_items: [
          {
            start_date: '2024-01-02',
            end_date: '2024-01-01',
            number_of_units: '999999999999.9999',
            net_amount: '-9999999999.9999999999',
            price_per_unit: '99999999.9999999',
          },
        ],
      })),
    })),
  '10 000 ledgers of one code': () => ({
    ledgers: times(10_000, () => ({
      ledger_code: 'L',
      ledger_balance: 1,
      last_statement_balance: 2,
      historical_statement_transactions: [{}],
    })),
  }),
  '10 000 overlapping agreements': () =>
    supplyPoint({
      last_billed_to_date: '2023-01-01',
      agreements: times(10_000, (index) => ({
        tariff_code: 'T',
        effective_from: index % 2 === 0 ? '2024-02-01' : '2024-01-01',
      })),
    }),
  '10 000 overlapping readings of many meters': () =>
    supplyPoint({
      readings: times(10_000, (index) => ({
        meter_serial_number: `M${index % 100}`,
        interval_start: `2024-01-01T00:00:${String(59 - (index % 60)).padStart(2, '0')}Z`,
        interval_end: '2999-01-01T00:00:00Z',
        consumption_delta: '-1',
      })),
      agreements: null,
    }),
  '10 000 overlapping schedules': () => ({
    payment_schedules: times(10_000, () => ({ means: 'DD', start_date: '2024-01-01', amount: -1 })),
  }),
  '10 000 equal addresses': () => ({
    supply_addresses: times(10_000, () => ({
      supply_address: {
        locality: 'x'.repeat(300),
        structured_street_address: { door: '1' },
        country: 'PT',
      },
      supply_points: [],
    })),
  }),
  'identifiers of hyphens': () => ({
    supply_addresses: times(10, () => ({
      supply_points: times(4000, () => ({ identifier: `${'- '.repeat(31)}a`, supply_type: 'GAS' })),
    })),
  }),
  'repeated details, references and metadata': () => ({
    customers: times(60, () => ({ user_details: times(1000, () => ({ namespace: 'n', value: 'v' })) })),
    references: times(10_000, () => ({ namespace: 'n', value: 'v' })),
    metadata: times(10_000, () => ({ key: 'k', value: {} })),
  }),
  'phone numbers that only the library can judge': () => ({
    customers: times(10_000, (index) => ({ mobile: `96 000 0${index}`, landline: `+44 7700 9${index}` })),
  }),
}
