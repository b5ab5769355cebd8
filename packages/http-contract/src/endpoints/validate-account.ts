import type { EchoedAccount } from '@account-import/core'
import { accountPayload } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import { noParams } from '../address-params.js'
import type { Answer } from '../answer.js'
import { endpoint } from '../endpoint.js'
import { refusalsOf, type Done } from '../use-case.js'
import { warningHeaders } from '../warning-headers.js'

export const validateAccount = endpoint({
  summary: 'Checks an account and answers it as accepted; stores nothing.',
  method: 'POST',
  path: '/v1/data-import/validate-account/',
  scope: 'validate',
  params: noParams,
  query: noParams,
  body: accountPayload,
  statuses: [200],
  // The account as accepted: the fields that were sent and are known; transaction amounts as text.
  success: t.UnknownRecord,
  refusals: refusalsOf<'validateAccount'>({ AccountFailedValidation: true, PortFailure: true }),
  answer: ({ account, warnings }: Done<'validateAccount'>): Answer<EchoedAccount, 200> => ({
    status: 200,
    headers: warningHeaders(warnings),
    body: account,
  }),
})
