import { accountPayload } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import { noParams } from '../address-params.js'
import type { Answer } from '../answer.js'
import { endpoint } from '../endpoint.js'
import { refusalsOf, type Done } from '../use-case.js'
import { warningHeaders } from '../warning-headers.js'

const stagedAccount = t.type(
  { import_supplier: t.string, external_account_number: t.string },
  'StagedAccount',
)
export type StagedAccount = t.TypeOf<typeof stagedAccount>

export const stageAccount = endpoint({
  summary: 'Checks an account and stores it for processing; may be repeated, the last data counts.',
  method: 'POST',
  path: '/v1/data-import/account-import-process/create-or-update/',
  scope: 'stage',
  params: noParams,
  query: noParams,
  body: accountPayload,
  statuses: [201, 200],
  success: stagedAccount,
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
