import { processRequest } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import { noParams } from '../address-params.js'
import type { Answer } from '../answer.js'
import { endpoint } from '../endpoint.js'
import { refusalsOf, type Done } from '../use-case.js'
import { warningHeaders } from '../warning-headers.js'

const createdAccount = t.type({ platform_account_number: t.string }, 'CreatedAccount')
export type CreatedAccount = t.TypeOf<typeof createdAccount>

export const processAccount = endpoint({
  summary: 'Creates the account from its staged data, under a named operations team.',
  method: 'POST',
  path: '/v1/data-import/account-import-process/process/',
  scope: 'process',
  params: noParams,
  query: noParams,
  body: processRequest,
  statuses: [201],
  success: createdAccount,
  refusals: refusalsOf<'processAccount'>({
    AccountFailedValidation: true,
    RequestFailedValidation: true,
    AccountAlreadyImported: true,
    AccountProcessedElsewhere: true,
    AccountMarkedToSkip: true,
    SupplierNotOngoing: true,
    NothingStaged: true,
    OperationsTeamDoesNotExist: true,
    DryRunSucceeded: true,
    ConcurrencyLimitReached: true,
    ClaimLost: true,
    PortFailure: true,
  }),
  answer: ({ platformAccountNumber, warnings }: Done<'processAccount'>): Answer<CreatedAccount, 201> => ({
    status: 201,
    headers: warningHeaders(warnings),
    body: { platform_account_number: platformAccountNumber },
  }),
})
