import type { TaskEither } from '@account-import/core/adapter-kit'
import type { useCasesOn } from './opened-nodes.js'

/** A request that adds one item, which `itemsOf` names so. */
export type Addition = Readonly<{ item: string; send: TaskEither<unknown, unknown> }>

type Of = Readonly<{
  useCases: ReturnType<typeof useCasesOn>
  organisation: string
  supplier: string
}>

/** Requests that add an item of their own to the account A-1: one of each kind, in the order of their names. */
const kinds: readonly ((of: Of, index: number) => Addition)[] = [
  ({ useCases, organisation, supplier }, index) => ({
    item: `note note ${index}`,
    send: useCases.addNotes({
      organisation,
      payload: {
        import_supplier: supplier,
        external_account_number: 'A-1',
        notes: [{ body: `note ${index}` }],
      },
    }),
  }),
  ({ useCases, organisation, supplier }, index) => ({
    item: `transaction T-${index}`,
    send: useCases.addTransactions({
      organisation,
      payload: {
        import_supplier: supplier,
        external_account_number: 'A-1',
        transactions: [
          {
            transaction_id: `T-${index}`,
            transaction_date: '2025-06-01',
            amount: 1,
            type: 'PAYMENT',
            reason: 'r',
          },
        ],
      },
      checkPreviouslyAdded: true,
    }),
  }),
  ({ useCases, organisation, supplier }, index) => ({
    item: `statement S-${index}`,
    send: useCases.addHistoricalStatements({
      organisation,
      payload: {
        import_supplier: supplier,
        external_account_number: 'A-1',
        statements: [
          {
            bill_period_from_date: '2024-01-01',
            bill_period_to_date: '2024-01-31',
            statement_id: `S-${index}`,
          },
        ],
      },
    }),
  }),
  ({ useCases, organisation, supplier }, index) => ({
    item: `instruction sandbox-${index}`,
    send: useCases.addPaymentInstruction({
      organisation,
      payload: {
        import_supplier: supplier,
        external_account_number: 'A-1',
        vendor: 'SANDBOX',
        reference: `sandbox-${index}`,
        type: 'CARD',
      },
    }),
  }),
]

export const kindsOfAdditions = ['a note', 'a transaction', 'a statement', 'a payment instruction'] as const

/** Of the kinds in turns. */
export const addition = (of: Of, index: number): Addition =>
  (kinds[index % kinds.length] as (typeof kinds)[number])(of, index)
