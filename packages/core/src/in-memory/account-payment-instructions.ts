import type { Account } from '../domain/account.js'
import { accountKeyText } from '../domain/account-key.js'
import type { AccountPaymentInstructions } from '../ports/account-payment-instructions.js'
import type { PaymentInstruction } from '../ports/payment-vendors.js'
import { portCall } from '../ports/port-failure.js'
import { existingAccount } from './existing-account.js'
import type { Tables } from './memory.js'

const call = portCall('accountPaymentInstructions')

const has = (
  { details }: Account,
  { vendor, reference }: Pick<PaymentInstruction, 'vendor' | 'reference'>,
): boolean =>
  details.payment_instructions.some((each) => each.vendor === vendor && each.reference === reference)

export const accountPaymentInstructionsWithin = (tables: Tables): AccountPaymentInstructions => ({
  has: ({ key }, instruction) => call('has', async () => has(existingAccount(tables, key), instruction)),
  add: ({ key }, instruction) =>
    call('add', async () => {
      const account = existingAccount(tables, key)
      if (has(account, instruction)) throw new Error('the account has the payment instruction')
      const payment_instructions = [...account.details.payment_instructions, instruction]
      tables.accounts.set(accountKeyText(key), {
        ...account,
        details: { ...account.details, payment_instructions },
      })
    }),
})
