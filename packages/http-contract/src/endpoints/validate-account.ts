import type { EchoedAccount } from '@account-import/core'
import { accountPayload } from '@account-import/core/adapter-kit'
import { noParams } from '../address-params.js'
import type { Answer } from '../call.js'
import { validateAccountCall } from '../calls/validate-account.js'
import { endpoint } from '../endpoint.js'
import { type Done, refusalsOf } from '../use-case.js'
import { warningHeaders } from '../warning-headers.js'

export const validateAccount = endpoint({
  ...validateAccountCall,
  summary: 'Checks an account and answers it as accepted; stores nothing.',
  params: noParams,
  query: noParams,
  body: accountPayload,
  refusals: refusalsOf<'validateAccount'>({ AccountFailedValidation: true, PortFailure: true }),
  answer: ({ account, warnings }: Done<'validateAccount'>): Answer<EchoedAccount, 200> => ({
    status: 200,
    headers: warningHeaders(warnings),
    body: account,
  }),
})
