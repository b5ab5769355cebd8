import * as t from 'io-ts'
import { call } from '../call.js'

const createdAccount = t.type({ platform_account_number: t.string }, 'CreatedAccount')
export type CreatedAccount = t.TypeOf<typeof createdAccount>

export const processAccountCall = call({
  method: 'POST',
  path: '/v1/data-import/account-import-process/process/',
  scope: 'process',
  statuses: [201],
  success: createdAccount,
})
