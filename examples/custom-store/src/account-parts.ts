import {
  portCall,
  type Account,
  type AccountPaymentInstructions,
  type AccountStatements,
  type PaymentInstruction,
} from '@account-import/core'
import { changeDetails, existing } from './existing-account.js'
import type { Access } from './turns.js'

export const accountStatements = ({ read, change }: Access): AccountStatements => {
  const call = portCall('accountStatements')
  return {
    existingIds: ({ key }, ids) =>
      call('existingIds', () =>
        read((view) => {
          const known = new Set(existing(view, key).details.statements.map((each) => each.statement_id))
          return new Set(ids.filter((id) => known.has(id)))
        }),
      ),
    add: ({ key }, added) =>
      call('add', () =>
        change((view) => {
          const account = existing(view, key)
          const statements = [...account.details.statements, ...added]
          if (new Set(statements.map((each) => each.statement_id)).size < statements.length)
            throw new Error('the account has the statement')
          changeDetails(view, account, { statements })
        }),
      ),
  }
}

const hasInstruction = (
  { details }: Account,
  { vendor, reference }: Pick<PaymentInstruction, 'vendor' | 'reference'>,
): boolean =>
  details.payment_instructions.some((each) => each.vendor === vendor && each.reference === reference)

export const accountPaymentInstructions = ({ read, change }: Access): AccountPaymentInstructions => {
  const call = portCall('accountPaymentInstructions')
  return {
    has: ({ key }, instruction) =>
      call('has', () => read((view) => hasInstruction(existing(view, key), instruction))),
    add: ({ key }, instruction) =>
      call('add', () =>
        change((view) => {
          const account = existing(view, key)
          if (hasInstruction(account, instruction)) throw new Error('the account has the instruction')
          const { payment_instructions: known } = account.details
          changeDetails(view, account, { payment_instructions: [...known, instruction] })
        }),
      ),
  }
}
