import {
  accountPayload,
  bulkProcessRequest,
  dismissalRequest,
  historicalStatementsRequest,
  importRunRequest,
  notesRequest,
  paymentInstructionRequest,
  processRequest,
  type Reader,
  transactionsRequest,
  undoPreviewRequest,
  undoRequest,
} from '@account-import/core/payloads'

/**
 * Request bodies by name: the codec with which the use case validates, and an example that is accepted without changes.
 *
 * An endpoint holds only the name of its body. The codecs import the metadata of all telephone numbers, which the bundle of a
 * client leaves out.
 */
export const requestBodies = {
  account: {
    codec: accountPayload,
    example: {
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
  },
  processRequest: {
    codec: processRequest,
    example: {
      external_account_number: 'LEV-E-000456',
      import_supplier_code: 'LEVANTE',
      operations_team_name: 'Demo team',
    },
  },
  bulkProcessRequest: {
    codec: bulkProcessRequest,
    example: {
      import_supplier_code: 'LEVANTE',
      operations_team_name: 'Demo team',
      external_account_numbers: ['LEV-E-000456'],
    },
  },
  historicalStatementsRequest: {
    codec: historicalStatementsRequest,
    example: {
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
  },
  paymentInstructionRequest: {
    codec: paymentInstructionRequest,
    example: {
      import_supplier: 'LEVANTE',
      external_account_number: 'LEV-E-000456',
      vendor: 'SANDBOX',
      reference: 'sandbox-card-000456',
      type: 'CARD',
    },
  },
  transactionsRequest: {
    codec: transactionsRequest,
    example: {
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
  },
  notesRequest: {
    codec: notesRequest,
    example: {
      import_supplier: 'LEVANTE',
      external_account_number: 'LEV-E-000456',
      notes: [
        { body: 'Asked for bills on paper.', created_at: '2025-05-06T08:00:00Z' },
        { body: 'Beware of the dog.', is_pinned: true, unpin_at: '2031-05-06T08:00:00Z' },
        { document_paths: [{ document_path: 'notes/LEV-E-000456/meter.jpg' }] },
      ],
    },
  },
  importRunRequest: {
    codec: importRunRequest,
    example: {
      import_supplier: 'LEVANTE',
      label: 'Rehearsal 3',
      source: {
        name: 'accounts.ndjson',
        sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        accounts: 4000,
      },
    },
  },
  dismissalRequest: {
    codec: dismissalRequest,
    example: {
      import_supplier: 'LEVANTE',
      failures: [{ external_account_number: 'LEV-E-000456' }],
      reason: 'Closed before the migration',
    },
  },
  undoPreviewRequest: {
    codec: undoPreviewRequest,
    example: {
      import_supplier_code: 'LEVANTE',
      external_account_numbers: ['LEV-E-000456', 'LEV-G-000123'],
    },
  },
  undoRequest: {
    codec: undoRequest,
    example: {
      import_supplier_code: 'LEVANTE',
      external_account_numbers: ['LEV-E-000456', 'LEV-G-000123'],
      confirmation_code: 'm93k1x2c-5f1c0b7a9e3d4c6b8a7f2e1d0c9b8a7f',
    },
  },
} as const satisfies Readonly<Record<string, Readonly<{ codec: Reader<unknown>; example: unknown }>>>

export type BodyName = keyof typeof requestBodies
