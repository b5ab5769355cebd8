import { toWireDatetime } from '@account-import/core/adapter-kit'
import { accountParams, noParams } from '../address-params.js'
import type { Answer } from '../call.js'
import { type TransferStatusBody, transferStatusCall } from '../calls/transfer-status.js'
import { endpoint } from '../endpoint.js'
import { type Done, refusalsOf } from '../use-case.js'

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
  ...transferStatusCall,
  summary: 'Says how far the import of one account is.',
  params: accountParams,
  query: noParams,
  body: undefined,
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
