import type { AccountTransactions } from '@account-import/core'
import { sqlPortCall } from '../failures/sql-port-call.js'
import type { Session } from '../session/session.js'
import { appendTransactions } from './append-transactions.js'
import { accountForTransactions } from './account-for-transactions.js'

const call = sqlPortCall('accountTransactions')

export const sqlAccountTransactions = (session: Session): AccountTransactions => ({
  known: (account, ids) =>
    call('known', () => session.together((db) => accountForTransactions(db, session.dialect, account, ids))),
  add: (account, transactions) =>
    call('add', () => session.together((db) => appendTransactions(db, session, account, transactions))),
})
