/** A text that fills a body of 5 MiB nearly. */
const LONG = 5 * 1024 * 1024 - 1024

const times = <A>(length: number, make: (index: number) => A): readonly A[] =>
  Array.from({ length }, (_, index) => make(index))

const keyed = (length: number, key: (index: number) => string): object =>
  Object.fromEntries(times(length, (index) => [key(index), 1]))

const supply = (points: readonly object[], address: object = { country: 'ES' }): object => ({
  supply_addresses: [
    { supply_address: address, customer_at_supply_address_from_date: '2020-01-01', supply_points: points },
  ],
})

const point = (index: number, fields: object): object => ({
  identifier: `ES${index}`,
  supply_type: 'ELECTRICITY',
  supply_start_date: '2020-01-01',
  ...fields,
})

const agreement = (fields: object): object => ({ tariff_code: 'T', effective_from: '2020-01-01', ...fields })

const reading = (fields: object): object => ({
  meter_serial_number: 'M',
  interval_start: '2020-01-01T00:00:00Z',
  interval_end: '2030-01-01T00:00:00Z',
  consumption_delta: '1',
  ...fields,
})

const transaction = (index: number, fields: object): object => ({
  transaction_id: `T${index}`,
  transaction_date: '2025-01-01',
  amount: '0.01',
  type: 'PAYMENT',
  ...fields,
})

const ledger = (index: number, field: string, transactions: readonly unknown[]): object => ({
  ledger_code: `L${index}`,
  ledger_balance: 1,
  [field]: transactions,
})

/** Many of something where rules compare each with the others. */
const crowds: Readonly<Record<string, () => object>> = {
  '10 000 overlapping agreements': () =>
    supply([point(0, { agreements: times(10_000, () => agreement({})) })]),
  '10 000 agreements, the longest last': () =>
    supply([
      point(0, {
        agreements: times(10_000, (index) =>
          agreement({ effective_to: `${2021 + (index % 7000)}-01-01` }),
        ).toReversed(),
      }),
    ]),
  '5 x 7 000 overlapping readings': () =>
    supply(times(5, (index) => point(index, { readings: times(7000, () => reading({})) }))),
  '10 000 access tariffs, 1 000 agreements': () =>
    supply([
      point(0, {
        atr_tariffs: times(10_000, () => ({ value: '2.0TD', valid_from: '2020-01-01' })),
        agreements: times(1000, () => agreement({ contractual_max_power: [1, 1, 1, 1, 1, 15_001] })),
      }),
    ]),
  '10 000 equal addresses': () => ({
    supply_addresses: times(10_000, () => ({
      supply_address: { country: 'ES', locality: 'x'.repeat(350) },
      customer_at_supply_address_from_date: '2020-01-01',
      supply_points: [],
    })),
  }),
  '10 000 schedules': () => ({
    payment_schedules: times(10_000, () => ({ means: 'DD', start_date: '2020-01-01' })),
  }),
  '5 x 10 000 transactions of one id': () => ({
    ledgers: times(5, (at) =>
      ledger(
        at,
        'historical_statement_transactions',
        times(10_000, () => transaction(0, {})),
      ),
    ),
  }),
  '8 000 transactions with 3 wrong line items': () => ({
    ledgers: [
      ledger(
        0,
        'current_statement_transactions',
        times(8000, (index) =>
          transaction(index, {
            line_items: times(3, () => ({
              start_date: '2025-01-02',
              end_date: '2025-01-01',
              number_of_units: '999999999999.9999',
              net_amount: '9999999999.9999999999',
              price_per_unit: '99999999.9999999',
            })),
          }),
        ),
      ),
    ],
  }),
  '10 000 references, metadata and statements': () => ({
    references: times(10_000, () => ({ namespace: 'n', value: 'v' })),
    metadata: times(10_000, () => ({ key: 'k', value: {} })),
    statements: times(10_000, () => ({
      bill_period_from_date: '2025-01-02',
      bill_period_to_date: '2025-01-01',
      statement_id: 's',
    })),
  }),
}

/** Texts made for whatever reads them character by character. */
const texts: Readonly<Record<string, () => object>> = {
  'phone numbers of brackets': () => ({
    customers: times(10_000, () => ({ mobile: `${'1-'.repeat(15)}x`, landline: `+1 ${'('.repeat(29)}` })),
  }),
  'phone numbers that are nearly right': () => ({
    customers: times(10_000, (index) => ({
      mobile: `+5${String(1e10 + index * 7919)}`,
      landline: `+44 20 ${index}`,
    })),
  }),
  'e-mail addresses of many labels': () => ({
    customers: times(10_000, () => ({ email: `a@${'é-é.'.repeat(60)}11` })),
  }),
  'fiscal codes of blanks and hyphens': () => ({
    customers: times(5000, () => ({
      user_details: [{ namespace: 'fiscal_code', value: `X${' -.'.repeat(330)}` }],
    })),
  }),
  'identifiers of hyphens': () =>
    supply(
      times(10_000, (index) =>
        point(0, { identifier: `${'- '.repeat(28)}${index}`, distributor_ree_code: '٣'.repeat(8) }),
      ),
    ),
  'access tariffs of blanks': () =>
    supply(
      times(4, (index) =>
        point(index, {
          atr_tariffs: times(10_000, () => ({ value: `R${' '.repeat(60)}L`, valid_from: '2020-01-01' })),
        }),
      ),
    ),
  'decimals of 64 digits': () => ({
    ledgers: times(4, (at) =>
      ledger(
        at,
        'current_statement_transactions',
        times(8000, (index) => transaction(index, { amount: '9'.repeat(64) })),
      ),
    ),
  }),
  'escaped document paths': () => ({
    notes: [{ document_paths: times(5000, () => ({ document_path: '%2525'.repeat(200) })) }],
  }),
  'document paths that grow when normalised': () => ({
    notes: [{ document_paths: times(5000, () => ({ document_path: 'ﷺ'.repeat(333) })) }],
  }),
  'one long text': () => ({ billing_name: 'x'.repeat(LONG) }),
  'one long blank': () => ({ sales_channel: ' '.repeat(LONG) }),
}

/** Shapes that nobody expects. */
const shapes: Readonly<Record<string, () => object>> = {
  '100 ledgers with 9 999 wrong items': () => ({
    ledgers: times(100, (at) =>
      ledger(
        at,
        'current_statement_transactions',
        times(9999, () => null),
      ),
    ),
  }),
  'ten faults in each of 10 000 customers': () => ({
    customers: times(10_000, () => ({
      given_name: null,
      email: '@',
      mobile: 'x',
      user_details: {},
      x: 1,
      y: 1,
    })),
  }),
  'unknown keys in falling order': () => keyed(400_000, (index) => `k${900_000 - index}`),
  'keys that cannot be shown': () => keyed(400_000, (index) => `k ${index}`),
  '10 000 wide free objects': () => ({
    metadata: times(10_000, (index) => ({ key: `k${index}`, value: keyed(40, (at) => `f${at}`) })),
  }),
}

/** Payloads of up to 5 MB as JSON, made to be slow: a name, and what makes one. */
export const hostilePayloads: Readonly<Record<string, () => object>> = { ...crowds, ...texts, ...shapes }
