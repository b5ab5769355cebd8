import type { ErrorCode } from '@account-import/core'

/** Codes of requests and checks that are to come; `npm test` fails when one is emitted. */
export const requestsToCome: readonly ErrorCode[] = [
  'account_not_found',
  'historical_statement_already_exists',
  'payment_instruction_not_found',
  'payment_instruction_not_usable',
  'payment_vendor_not_registered',
  'payment_vendor_refused',
  'payment_vendor_unavailable',
  'payment_vendor_unreachable',
  'ledger_code_does_not_exist',
  'transaction_outside_open_statement_period',
  'throttled',
  'invalid_idempotency_key',
  'idempotency_key_reused',
  'idempotency_key_in_progress',
]
