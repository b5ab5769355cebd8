import { accountPayload } from '@account-import/core'
import { noParams } from '../address-params.js'
import { endpoint } from '../endpoint.js'
import { stagedAccount } from '../responses/staged-account.js'

export const stageAccount = endpoint({
  name: 'stage-account',
  summary: 'Checks an account and stores it for processing; may be repeated, the last data counts.',
  method: 'POST',
  path: '/v1/data-import/account-import-process/create-or-update/',
  scope: 'stage',
  params: noParams,
  query: noParams,
  body: accountPayload,
  statuses: [201, 200],
  success: stagedAccount,
})
