import { type CatalogueEntry, catalogueOf, type MarketPack } from '@account-import/core'
import { problemBody } from '../problems/problem.js'
import { type JsonSchema, typeSchema } from '../schema/codec-schema.js'

const codesWhere = (
  markets: readonly MarketPack[],
  holds: (entry: CatalogueEntry) => boolean,
): readonly string[] =>
  Object.entries(catalogueOf(markets)).flatMap(([code, entry]) => (holds(entry) ? [code] : []))

const codeOf = (codes: readonly string[], description: string): JsonSchema => ({
  type: 'string',
  enum: codes,
  description,
})

const problem = (): JsonSchema => {
  const { properties, ...rest } = typeSchema(problemBody.type) as { properties: JsonSchema }
  return {
    ...rest,
    properties: {
      ...properties,
      code: { $ref: '#/components/schemas/TopLevelCode' },
      errors: { type: 'array', items: { $ref: '#/components/schemas/FieldError' } },
    },
  }
}

/** What all answers share. Each code has a page at docs/errors/{code}/. */
export const problemSchemas = (markets: readonly MarketPack[]): Readonly<Record<string, JsonSchema>> => ({
  Problem: problem(),
  FieldError: {
    type: 'object',
    properties: {
      detail: { type: 'string', description: 'For people; may change, never holds a value of the payload.' },
      code: { $ref: '#/components/schemas/FieldCode' },
      attr: {
        type: 'string',
        description: 'Names and zero-based indexes joined by dots; empty for the payload.',
      },
    },
    required: ['detail', 'code', 'attr'],
  },
  TopLevelCode: codeOf(
    codesWhere(markets, ({ where }) => where.includes('T')),
    'Code of a whole answer.',
  ),
  // Always, or after the operator has raised a warning.
  FieldCode: codeOf(
    codesWhere(markets, ({ where, changeable }) => where.includes('F') || changeable),
    'Code of an entry of errors.',
  ),
})

/** Bodies that are accepted as they stand, by the name of their codec. */
export const exampleBodies: Readonly<Record<string, unknown>> = {
  account: {
    import_supplier: 'LEVANTE',
    external_account_number: 'LEV-E-000456',
    account_type: 'DOMESTIC',
    customers: [
      {
        account_roles: ['ACCOUNT_HOLDER'],
        user_details: [{ namespace: 'fiscal_code', value: '12345678Z' }],
        given_name: 'Joan',
        family_name: 'Ferrer',
        email: 'joan.ferrer@example.org',
        mobile: '600 000 456',
      },
    ],
    supply_addresses: [
      {
        supply_address: { locality: 'Barcelona', postal_code: '08001', country: 'ES' },
        customer_at_supply_address_from_date: '2022-03-15',
        supply_points: [
          {
            identifier: 'ES0021000012345678LB',
            distributor_ree_code: '0021',
            supply_type: 'ELECTRICITY',
            supply_start_date: '2022-03-15',
            agreements: [{ tariff_code: 'LUZ-TRES-TRAMOS-2022', effective_from: '2022-03-15' }],
          },
        ],
      },
    ],
  },
  'process request': {
    external_account_number: 'LEV-E-000456',
    import_supplier_code: 'LEVANTE',
    operations_team_name: 'Demo team',
  },
  'bulk process request': {
    import_supplier_code: 'LEVANTE',
    operations_team_name: 'Demo team',
    external_account_numbers: ['LEV-E-000456'],
  },
  'historical statements request': {
    import_supplier: 'LEVANTE',
    external_account_number: 'LEV-E-000456',
    statements: [
      {
        bill_period_from_date: '2022-04-01',
        bill_period_to_date: '2022-04-30',
        statement_id: 'LEV-E-F-2022-04',
        issued_date: '2022-05-06',
        number: 'F22-009177',
        gross_amount: 64.05,
        statement_path: 'statements/LEV-E-000456/2022-04.pdf',
      },
    ],
  },
  'payment instruction request': {
    import_supplier: 'LEVANTE',
    external_account_number: 'LEV-E-000456',
    vendor: 'SANDBOX',
    reference: 'sandbox-card-000456',
    type: 'CARD',
  },
  'transactions request': {
    import_supplier: 'LEVANTE',
    external_account_number: 'LEV-E-000456',
    transactions: [
      {
        transaction_id: 'LEV-E-T-0201',
        transaction_date: '2025-05-12',
        amount: 24.2,
        type: 'PAYMENT',
        reason: 'ACCOUNT_CHARGE_PAYMENT',
        payment_type: 'DD_REGULAR_COLLECTION',
      },
      {
        transaction_id: 'LEV-E-T-0202',
        transaction_date: '2025-05-15',
        amount: '1.25',
        type: 'CREDIT',
        reason: 'IMPORTED_CREDIT',
        display_note: 'Rounded in your favour',
      },
    ],
  },
  'notes request': {
    import_supplier: 'LEVANTE',
    external_account_number: 'LEV-E-000456',
    notes: [
      { body: 'Asked for bills on paper.', created_at: '2025-05-06T08:00:00Z' },
      { body: 'Beware of the dog.', is_pinned: true, unpin_at: '2031-05-06T08:00:00Z' },
      { document_paths: [{ document_path: 'notes/LEV-E-000456/meter.jpg' }] },
    ],
  },
}
