import * as t from 'io-ts'
import { transactionData } from '../transaction-data.js'

const fieldError = t.readonly(t.type({ detail: t.string, code: t.string, attr: t.string }), 'FieldError')

/**
 * The body of every answer that is no success. `errors` is empty unless the input failed validation. Which refusals
 * have which of the optional fields is in the problem tables; `request_id` is there on status 500 only.
 */
export const problemBody = t.readonly(
  t.intersection([
    t.type({ detail: t.string, code: t.string, errors: t.readonlyArray(fieldError) }),
    t.partial({
      error_detail: t.string,
      external_account_number: t.string,
      import_supplier: t.string,
      platform_account_number: t.string,
      reference: t.string,
      request_id: t.string,
      status: t.keyof({ TRANSACTION_IMPORT_ERROR: null }),
      transaction_data: transactionData,
    }),
  ]),
  'Problem',
)
export type ProblemBody = t.TypeOf<typeof problemBody>
