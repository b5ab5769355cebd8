import type { AccountPaymentInstructions, LockedAccount, PaymentInstruction } from '@account-import/core'
import type { Knex } from 'knex'
import { sqlPortCall } from '../failures/sql-port-call.js'
import { accountRowKey } from '../rows/account-row-key.js'
import { paymentInstructionRow } from '../rows/payment-instructions.js'
import type { Session } from '../session/session.js'
import { appendRows } from '../statements/append-rows.js'
import { tables } from '../rows/tables.js'

const has = async (
  db: Knex,
  account: LockedAccount,
  { vendor, reference }: Pick<PaymentInstruction, 'vendor' | 'reference'>,
): Promise<boolean> => {
  const found: unknown = await db(tables.paymentInstructions)
    .where({ ...accountRowKey(account), vendor, reference })
    .first('ordinal')
  return found !== undefined
}

const call = sqlPortCall('accountPaymentInstructions')

export const sqlAccountPaymentInstructions = (session: Session): AccountPaymentInstructions => ({
  has: (account, instruction) => call('has', () => session.together((db) => has(db, account, instruction))),
  add: (account, instruction) =>
    call('add', () =>
      session.together((db) =>
        appendRows(
          db,
          session.dialect,
          account,
          tables.paymentInstructions,
          [instruction],
          paymentInstructionRow,
        ),
      ),
    ),
})
