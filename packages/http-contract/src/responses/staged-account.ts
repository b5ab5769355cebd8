import type { FieldError } from '@account-import/core'
import * as t from 'io-ts'
import type { Answer } from '../answer.js'

export const stagedAccount = t.type(
  { import_supplier: t.string, external_account_number: t.string },
  'StagedAccount',
)
export type StagedAccount = t.TypeOf<typeof stagedAccount>

type Staged = Readonly<{
  outcome: 'created' | 'replaced'
  importSupplier: string
  externalAccountNumber: string
  warnings: readonly FieldError[]
}>

/** 201 for the first staging, 200 when staged data was replaced. */
export const stagedAccountAnswer = (staged: Staged): Answer<StagedAccount> => ({
  status: staged.outcome === 'created' ? 201 : 200,
  body: {
    import_supplier: staged.importSupplier,
    external_account_number: staged.externalAccountNumber,
  },
  warnings: staged.warnings,
})
