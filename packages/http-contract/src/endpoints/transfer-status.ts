import { toWireDatetime } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import { accountParams, noParams } from '../address-params.js'
import type { Answer } from '../answer.js'
import { endpoint } from '../endpoint.js'
import { refusalsOf, type Done } from '../use-case.js'

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

const latestErrorOf = ({
  latestError: error,
}: Done<'transferStatus'>): Pick<TransferStatusBody, 'latest_error'> =>
  error === undefined
    ? {}
    : {
        latest_error: {
          code: error.code,
          detail: error.detail,
          occurred_at: toWireDatetime(error.occurredAt),
        },
      }

export const transferStatus = endpoint({
  summary: 'Says how far the import of one account is.',
  method: 'GET',
  path: '/v1/data-import/account-transfer-status/{import_supplier_code}/{external_account_number}/',
  scope: 'read',
  params: accountParams,
  query: noParams,
  body: undefined,
  statuses: [200],
  success: transferStatusBody,
  refusals: refusalsOf<'transferStatus'>({
    SupplierNotFound: true,
    AccountImportNotFound: true,
    PortFailure: true,
  }),
  answer: (status: Done<'transferStatus'>): Answer<TransferStatusBody, 200> => ({
    status: 200,
    headers: {},
    body: {
      status: status.status,
      platform_account_number: status.platformAccountNumber ?? '',
      attempts: status.attempts,
      ...latestErrorOf(status),
    },
  }),
})
