import { accountFaults } from './account-faults.js'
import { addressFaults } from './address-faults.js'
import { agreementFaults } from './agreement-faults.js'
import { customerFaults } from './customer-faults.js'
import type { Fault } from './fault.js'
import { ledgerFaults } from './ledger-faults.js'
import { noteFaults } from './note-faults.js'
import { scheduleFaults } from './schedule-faults.js'
import { statementFaults } from './statement-faults.js'
import { supplyFaults } from './supply-faults.js'
import { transactionFaults } from './transaction-faults.js'

/** Every known kind of fault of an account. */
export const allFaults: readonly Fault[] = [
  ...accountFaults,
  ...customerFaults,
  ...addressFaults,
  ...supplyFaults,
  ...agreementFaults,
  ...ledgerFaults,
  ...transactionFaults,
  ...noteFaults,
  ...scheduleFaults,
  ...statementFaults,
]
