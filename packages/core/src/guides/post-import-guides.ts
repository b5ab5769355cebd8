import type { Guides } from '../catalogue/guide.js'

const transactions = 'POST /v1/data-import/transactions/create/'
const instruction = 'POST /v1/data-import/payment-instruction/create/'

/** Data that is added to created accounts, and payment vendors. */
export const postImportGuides = {
  account_not_found: {
    means: 'No created account belongs to this supplier and external account number.',
    causes: [
      'The account is staged but not processed yet.',
      'The platform account number was sent for the external one.',
    ],
    fix: ['Ask for the transfer status.', 'Process the account, then send the request again.'],
    at: [],
    example: {
      bad: `POST /v1/data-import/notes/create/
{"import_supplier": "LEVANTE", "external_account_number": "A-NP1577HZYZ9B", …}
→ 404 account_not_found`,
      good: `POST /v1/data-import/notes/create/
{"import_supplier": "LEVANTE", "external_account_number": "LEV-E-000456", …}
→ 201`,
    },
    related: ['import_process_does_not_exist', 'not_found'],
  },
  ledger_code_does_not_exist: {
    means: 'A transaction names a ledger that the account does not have. Nothing of the request was added.',
    causes: ['The account was imported without this ledger.', 'The code of the old system was sent.'],
    fix: [
      'Use a code from the ledgers that the account was imported with.',
      "Leave ledger_code out to use the account's first ledger.",
    ],
    at: ['transactions.N.ledger_code'],
    example: {
      bad: `${transactions}
{"transactions": [{"transaction_id": "T-0009", "ledger_code": "GAS", …}], …}
→ 400 request_failed_validation, with ledger_code_does_not_exist at transactions.0.ledger_code`,
      good: `${transactions}
{"transactions": [{"transaction_id": "T-0009", "ledger_code": "SPAIN_GAS_LEDGER", …}], …}
→ 201`,
    },
    related: ['duplicate_ledger_entries_found', 'request_failed_validation'],
  },
  transaction_outside_open_statement_period: {
    means:
      'The date of a transaction lies outside the open statement period, and the request does not allow it to be moved. The transactions before it were added; nothing after it was touched.',
    causes: [
      'The transaction belongs to a period that was billed before the migration.',
      'Its date lies in the future.',
    ],
    fix: [
      'Correct the date, or leave force_add_to_current_statement at true: the date is then moved into the period and a note says so.',
      'Send the request again; what was added already is skipped.',
    ],
    at: [],
    example: {
      bad: `${transactions}?force_add_to_current_statement=false
{"transactions": [{"transaction_id": "T-0009", "transaction_date": "2019-01-05", …}], …}
→ 400 transaction_outside_open_statement_period`,
      good: `${transactions}
{"transactions": [{"transaction_id": "T-0009", "transaction_date": "2019-01-05", …}], …}
→ 201`,
    },
    related: ['transaction_in_future', 'current_statement_transaction_before_last_statement_closing_date'],
  },
  payment_instruction_not_found: {
    means: 'The payment vendor knows no payment instruction with this reference.',
    causes: [
      "The old system's own number was sent instead of the vendor's.",
      'The reference belongs to the test mode, or to another merchant account, of the vendor.',
    ],
    fix: [
      "Send the vendor's identifier of the payment method or mandate.",
      'Check with the operator which merchant account is set up.',
    ],
    at: [],
    example: {
      bad: `${instruction}
{"vendor": "SANDBOX", "reference": "sandbox-missing-1", "type": "CARD", …}
→ 400 payment_instruction_not_found`,
      good: `${instruction}
{"vendor": "SANDBOX", "reference": "sandbox-1", "type": "CARD", …}
→ 201`,
    },
    related: ['payment_instruction_not_usable', 'payment_vendor_not_registered'],
  },
  payment_instruction_not_usable: {
    means:
      'The payment vendor knows the instruction, but it has expired, was revoked, or is of another type than the request says.',
    causes: ['The card has expired, or the bank returned the mandate.', 'A mandate was sent with type CARD.'],
    fix: [
      'Compare type with the kind of the instruction: CARD for cards, DIRECT_DEBIT for mandates.',
      'Ask the customer for a new card or mandate, and send its reference.',
    ],
    at: [],
    example: {
      bad: `${instruction}
{"vendor": "SANDBOX", "reference": "sandbox-unusable-1", "type": "CARD", …}
→ 400 payment_instruction_not_usable`,
      good: `${instruction}
{"vendor": "SANDBOX", "reference": "sandbox-2", "type": "CARD", …}
→ 201`,
    },
    related: ['payment_instruction_not_found'],
  },
  card_number_not_allowed: {
    means:
      'The reference of the payment instruction is a card number: 13 to 19 digits with their check digit, in the digits of any script, with or without other characters than letters between them. It was neither stored nor sent to the vendor.',
    causes: [
      'The column with the card number was taken for the one with the reference of the vendor.',
      'The old system kept card numbers itself and has no reference.',
    ],
    fix: [
      "Send the vendor's reference for the payment method or mandate.",
      'Where there is none, have the payment vendor take the card over; it gives a reference.',
      'Find out where else the file with the card numbers went.',
    ],
    at: ['reference'],
    example: {
      bad: `${instruction}
{"vendor": "STRIPE", "reference": "4242 4242 4242 4242", …}
→ 400 request_failed_validation, with card_number_not_allowed at reference`,
      good: `${instruction}
{"vendor": "STRIPE", "reference": "pm_1NqKo2LkdIwH", …}
→ 201`,
    },
    related: ['card_number_masked', 'payment_instruction_not_found'],
  },
  payment_vendor_not_registered: {
    means: 'The service has no payment vendor of this code.',
    causes: [
      'The code is misspelt; case counts.',
      'The vendor is not in the file that PAYMENT_VENDORS names.',
    ],
    fix: ['Compare the code with the operator.', 'Have the vendor added to the configuration.'],
    at: ['vendor'],
    example: {
      bad: `${instruction}
{"vendor": "stripe", …}
→ 400 request_failed_validation, with payment_vendor_not_registered at vendor`,
      good: `${instruction}
{"vendor": "STRIPE", …}
→ 201`,
    },
    related: ['payment_instruction_not_found', 'request_failed_validation'],
  },
  payment_vendor_refused: {
    means:
      "The payment vendor refused the service's own request: its credentials, or the call as such. The reference was not checked.",
    causes: ["The service's key at the vendor was revoked, or may not read payment methods."],
    fix: [
      'Stop sending: each repetition is refused too.',
      'Tell the operator, who checks the credentials of the vendor.',
    ],
    at: [],
    example: {
      bad: `${instruction}
{"vendor": "SANDBOX", "reference": "sandbox-refused-1", …}
→ 400 payment_vendor_refused`,
      good: `${instruction}   after the operator has renewed the key
→ 201`,
    },
    related: ['payment_vendor_unreachable', 'permission_denied'],
  },
  payment_vendor_unavailable: {
    means: 'The payment vendor gave no clear answer, after several attempts. Nothing was stored.',
    causes: ['The vendor is overloaded or limits the rate of calls.', 'The connection broke.'],
    fix: ['Wait as long as Retry-After says and send the same request again; it is stored once.'],
    at: [],
    example: {
      bad: `${instruction}
{"vendor": "SANDBOX", "reference": "sandbox-unavailable-1", …}
→ 500 payment_vendor_unavailable, Retry-After: 5`,
      good: `${instruction}   five seconds later
→ 201`,
    },
    related: ['payment_vendor_unreachable', 'service_unavailable'],
  },
  payment_vendor_unreachable: {
    means:
      'The payment vendor has been out of reach for a long time, its name does not resolve, or its certificate is refused.',
    causes: [
      'The address of the vendor is wrong, or a firewall stands between.',
      'The vendor has a long outage.',
    ],
    fix: [
      'Do not repeat the request now; put the instruction aside.',
      'Tell the operator, and send it when the vendor is back.',
    ],
    at: [],
    example: {
      bad: `${instruction}   with a vendor whose name does not resolve
→ 400 payment_vendor_unreachable`,
      good: `${instruction}   when the vendor is back
→ 201`,
    },
    related: ['payment_vendor_unavailable', 'payment_vendor_refused'],
  },
} satisfies Guides
