import type { Account, AccountDetails, AccountPayload } from '@account-import/core'
import { accountFromPayload } from '@account-import/core/testing'
import { isDeepStrictEqual } from 'node:util'
import { itemFaults } from '../../support/item-faults.js'
import { itemsOf } from '../../support/items-of.js'
import type { Looked } from './look-at.js'
import type { Sent } from './sent.js'

/** What the account was created with, by the data that it was created from. */
export const createdDetails = (account: Account, payload: string): AccountDetails =>
  accountFromPayload(JSON.parse(payload) as AccountPayload, account.createdAt)

/** The account without what was added to it, which comes after what it was created with. */
const withoutAdditions = (stored: AccountDetails, created: AccountDetails): AccountDetails => ({
  ...stored,
  notes: stored.notes.slice(0, created.notes.length),
  ledgers: stored.ledgers.map((ledger, place) => ({
    ...ledger,
    current_statement_transactions: ledger.current_statement_transactions.slice(
      0,
      created.ledgers[place]?.current_statement_transactions.length ?? 0,
    ),
  })),
  transactions_without_ledger: [],
  statements: stored.statements.slice(0, created.statements.length),
  payment_instructions: [],
})

/** What is wrong with what a created account holds: whole, each addition once, and nothing that nobody sent. */
export const accountFaults = ({ key, account, staged }: Looked, sent: Sent): readonly string[] => {
  if (account === undefined || staged === undefined) return []
  const { externalAccountNumber: number } = key
  const created = createdDetails(account, staged.payload)
  const isWhole = isDeepStrictEqual(withoutAdditions(account.details, created), created)
  const items = { created: itemsOf(created), ...sent.additionsTo(key) }
  return [
    ...(isWhole ? [] : [`${number}: I3: not what it was created from`]),
    ...itemFaults(number, account.details, items).map((fault) => `I2, I5: ${fault}`),
  ]
}
