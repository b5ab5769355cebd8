import * as t from 'io-ts'
import { call } from '../call.js'

const stagedAccount = t.type(
  { import_supplier: t.string, external_account_number: t.string },
  'StagedAccount',
)
export type StagedAccount = t.TypeOf<typeof stagedAccount>

export const stageAccountCall = call({
  method: 'POST',
  path: '/v1/data-import/account-import-process/create-or-update/',
  scope: 'stage',
  statuses: [201, 200],
  success: stagedAccount,
})
