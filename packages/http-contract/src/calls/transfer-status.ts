import * as t from 'io-ts'
import { call } from '../call.js'

/** Why the last attempt to process failed. `occurred_at`: `YYYY-MM-DDTHH:MM:SSZ`. */
const latestError = t.type({ code: t.string, detail: t.string, occurred_at: t.string }, 'LatestError')

/** `platform_account_number` is empty until an account exists; `latest_error` is there after a failed attempt. */
const transferStatusBody = t.intersection(
  [
    t.type({
      status: t.keyof({ UNKNOWN: null, IN_PROGRESS: null, COMPLETED: null }),
      platform_account_number: t.string,
      attempts: t.number,
    }),
    t.partial({ latest_error: latestError }),
  ],
  'TransferStatus',
)
export type TransferStatusBody = t.TypeOf<typeof transferStatusBody>

export const transferStatusCall = call({
  method: 'GET',
  path: '/v1/data-import/account-transfer-status/{import_supplier_code}/{external_account_number}/',
  scope: 'read',
  statuses: [200],
  success: transferStatusBody,
})
