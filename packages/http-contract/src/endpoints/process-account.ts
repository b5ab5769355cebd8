import { processRequest } from '@account-import/core'
import { noParams } from '../address-params.js'
import { endpoint } from '../endpoint.js'
import { createdAccount } from '../responses/created-account.js'

export const processAccount = endpoint({
  name: 'process-account',
  summary: 'Creates the account from its staged data, under a named operations team.',
  method: 'POST',
  path: '/v1/data-import/account-import-process/process/',
  scope: 'process',
  params: noParams,
  query: noParams,
  body: processRequest,
  statuses: [201],
  success: createdAccount,
})
