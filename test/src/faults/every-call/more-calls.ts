import type { LocalDate } from '@account-import/core'
import { movedNoteBody } from '@account-import/core/testing'
import { gasKey, organisation, processGas } from '../../use-cases/support/service.js'
import { newAccount, type PlainCall } from '../../use-cases/support/plain-calls.js'

/** The first lies in the open period, the second is moved into it, so that a note is pinned. */
export const movedTransactions = ['2025-05-01', '2020-01-01'].map((transaction_date, index) => ({
  transaction_id: `T-${index}`,
  transaction_date,
  amount: 1,
  type: 'PAYMENT',
}))

export const movedNote = movedNoteBody([
  {
    transactionId: 'T-1',
    copy: 0,
    ledgerCode: 'SPAIN_GAS_LEDGER',
    from: '2020-01-01' as LocalDate,
    to: '2025-04-01' as LocalDate,
  },
])

/** Other ways through use cases that make other calls of ports. */
export const moreCalls: Readonly<Record<string, PlainCall>> = {
  'addTransactions, moved': {
    succeeds: ({ plain }) =>
      plain.addTransactions({
        organisation,
        payload: {
          import_supplier: gasKey.importSupplier,
          external_account_number: gasKey.externalAccountNumber,
          transactions: movedTransactions,
        },
      }),
  },
  'processAccount, dry run': {
    given: ({ plain }) => plain.stageAccount({ organisation, payload: newAccount('NEW') }),
    succeeds: async ({ plain }) => {
      const payload = { ...processGas, external_account_number: 'NEW', dry_run: true }
      const tried = await plain.processAccount({ organisation, payload })
      return !tried.ok && tried.refusal._tag === 'DryRunSucceeded' ? { ok: true, value: undefined } : tried
    },
  },
}
