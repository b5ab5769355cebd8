import type { TransferStatus } from '@account-import/core'
import { toWireDatetime } from '@account-import/core'
import * as t from 'io-ts'
import type { Answer } from '../answer.js'

/** Why the last attempt to process failed. `occurred_at`: `YYYY-MM-DDTHH:MM:SSZ`. */
const latestError = t.type({ code: t.string, detail: t.string, occurred_at: t.string }, 'LatestError')

/** `platform_account_number` is empty until an account exists; `latest_error` is there after a failed attempt. */
export const transferStatusBody = t.intersection(
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

const latestErrorOf = (status: TransferStatus): Pick<TransferStatusBody, 'latest_error'> =>
  status.latestError === undefined
    ? {}
    : {
        latest_error: {
          code: status.latestError.code,
          detail: status.latestError.detail,
          occurred_at: toWireDatetime(status.latestError.occurredAt),
        },
      }

export const transferStatusAnswer = (status: TransferStatus): Answer<TransferStatusBody> => ({
  status: 200,
  body: {
    status: status.status,
    platform_account_number: status.platformAccountNumber ?? '',
    attempts: status.attempts,
    ...latestErrorOf(status),
  },
  warnings: [],
})
