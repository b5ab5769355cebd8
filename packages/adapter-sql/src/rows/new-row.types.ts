import type { AccountNote, PaymentInstructionDetails } from '@account-import/core'
import type { AccountReferenceRow } from './account-references.js'
import type { LedgerRow } from './ledgers.js'
import type { NewRow, Row } from './row.js'
import { objectOf, optional, text } from './shapes.js'

/** What does not compile here must not compile anywhere: a line that would makes the build fail. */

const key = { organisation: 'O', import_supplier: 'S', platform_account_number: 'P', ordinal: 0 }

export const whole: NewRow<AccountReferenceRow> = { ...key, namespace: 'n', value: 'v' }

// @ts-expect-error -- a column is forgotten
export const forgotten: NewRow<AccountReferenceRow> = { ...key, namespace: 'n' }

// @ts-expect-error -- a column of the key is forgotten
export const keyless: NewRow<AccountReferenceRow> = { ordinal: 0, namespace: 'n', value: 'v' }

export const withoutBalances: NewRow<LedgerRow> = {
  ...key,
  ledger_code: 'L',
  last_statement_balance: undefined,
  last_statement_closing_date: undefined,
  ledger_balance: null,
}

// @ts-expect-error -- a column that may be empty is forgotten too
export const unbalanced: NewRow<LedgerRow> = { ...key, ledger_code: 'L', ledger_balance: null }

// @ts-expect-error -- a column that may not be empty
export const nameless: NewRow<AccountReferenceRow> = { ...key, namespace: undefined, value: 'v' }

// @ts-expect-error -- a column takes no boolean
export const boolean: Row = { is_pinned: true }

// @ts-expect-error -- a field of what is kept as JSON is forgotten
export const shapeless = objectOf<AccountNote['document_paths'][number]>({})

// @ts-expect-error -- a field that may be absent is not to be required
export const required = objectOf<Pick<PaymentInstructionDetails, 'brand'>>({ brand: text })

// @ts-expect-error -- a field that is always there is not to be optional
export const loose = objectOf<AccountNote['document_paths'][number]>({ document_path: optional(text) })
