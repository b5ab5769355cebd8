import type { AccountDetails } from '@account-import/core'

/** All items of an account, added or created with it, each by its kind and name. */
export const itemsOf = (details: AccountDetails): readonly string[] => [
  ...details.notes.map(({ body }) => `note ${body}`),
  ...details.ledgers
    .flatMap((ledger) => ledger.current_statement_transactions)
    .map(({ transaction_id }) => `transaction ${transaction_id}`),
  ...details.statements.map(({ statement_id }) => `statement ${statement_id}`),
  ...details.payment_instructions.map(({ reference }) => `instruction ${reference}`),
]
