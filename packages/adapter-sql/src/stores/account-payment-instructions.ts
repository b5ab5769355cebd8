import type { AccountPaymentInstructions, LockedAccount, PaymentInstruction } from '@account-import/core'
import type { Knex } from 'knex'
import type { DataKeys } from '../encryption/data-keys.js'
import { sqlPortCall } from '../failures/sql-port-call.js'
import { accountRowKey } from '../rows/account-row-key.js'
import { asKept } from '../rows/hidden-values.js'
import { paymentInstructionRow } from '../rows/payment-instructions.js'
import type { Session } from '../session/session.js'
import { accountDataKey } from '../statements/account-data-key.js'
import { appendRows } from '../statements/append-rows.js'
import { tables } from '../rows/tables.js'

const has = async (
  db: Knex,
  dataKeys: DataKeys,
  account: LockedAccount,
  { vendor, reference }: Pick<PaymentInstruction, 'vendor' | 'reference'>,
): Promise<boolean> => {
  const dataKey = await accountDataKey(db, dataKeys, account)
  const found: unknown = await db(tables.paymentInstructions)
    .where({ ...accountRowKey(account), vendor })
    .whereIn('reference', asKept(dataKey, tables.paymentInstructions, 'reference', reference))
    .first('ordinal')
  return found !== undefined
}

const call = sqlPortCall('accountPaymentInstructions')

export const sqlAccountPaymentInstructions = (session: Session): AccountPaymentInstructions => ({
  has: (account, instruction) =>
    call('has', () => session.together((db) => has(db, session.dataKeys, account, instruction))),
  add: (account, instruction) =>
    call('add', () =>
      session.together((db) =>
        appendRows(db, session, account, tables.paymentInstructions, [instruction], paymentInstructionRow),
      ),
    ),
})
