import { accountPayload } from '@account-import/core'
import { noParams } from '../address-params.js'
import { endpoint } from '../endpoint.js'
import { echoedAccount } from '../responses/echoed-account.js'

export const validateAccount = endpoint({
  name: 'validate-account',
  summary: 'Checks an account and answers it as accepted; stores nothing.',
  method: 'POST',
  path: '/v1/data-import/validate-account/',
  scope: 'validate',
  params: noParams,
  query: noParams,
  body: accountPayload,
  statuses: [200],
  success: echoedAccount,
})
