import type { AccountPaymentInstruction } from '../domain/account-details.js'
import type { LockedAccount } from './accounts.js'
import type { PaymentInstruction } from './payment-vendors.js'
import type { PortResult } from './port-failure.js'

/** The payment instructions of one account, while it is locked. */
export interface AccountPaymentInstructions {
  /** Whether the account has the instruction: vendor and reference, compared exactly. */
  has(
    account: LockedAccount,
    instruction: Pick<PaymentInstruction, 'vendor' | 'reference'>,
  ): PortResult<boolean>
  /** Adds it after those that the account has. One that is there already is a failure. */
  add(account: LockedAccount, instruction: AccountPaymentInstruction): PortResult<void>
}
