import { accountPayload } from '@account-import/core/adapter-kit'
import { noParams } from '../address-params.js'
import type { Answer } from '../call.js'
import { stageAccountCall, type StagedAccount } from '../calls/stage-account.js'
import { endpoint } from '../endpoint.js'
import { type Done, refusalsOf } from '../use-case.js'
import { warningHeaders } from '../warning-headers.js'

export const stageAccount = endpoint({
  ...stageAccountCall,
  summary: 'Checks an account and stores it for processing; may be repeated, the last data counts.',
  params: noParams,
  query: noParams,
  body: accountPayload,
  refusals: refusalsOf<'stageAccount'>({
    AccountFailedValidation: true,
    AccountAlreadyImported: true,
    AccountImportInProgress: true,
    AccountMarkedToSkip: true,
    SupplierNotOngoing: true,
    PortFailure: true,
  }),
  // 201 for the first staging, 200 when staged data was replaced.
  answer: (staged: Done<'stageAccount'>): Answer<StagedAccount, 201 | 200> => ({
    status: staged.outcome === 'created' ? 201 : 200,
    headers: warningHeaders(staged.warnings),
    body: { import_supplier: staged.importSupplier, external_account_number: staged.externalAccountNumber },
  }),
})
