import { processRequest } from '@account-import/core/adapter-kit'
import { noParams } from '../address-params.js'
import type { Answer } from '../call.js'
import { type CreatedAccount, processAccountCall } from '../calls/process-account.js'
import { endpoint } from '../endpoint.js'
import { type Done, refusalsOf } from '../use-case.js'
import { warningHeaders } from '../warning-headers.js'

export const processAccount = endpoint({
  ...processAccountCall,
  summary: 'Creates the account from its staged data, under a named operations team.',
  params: noParams,
  query: noParams,
  body: processRequest,
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
