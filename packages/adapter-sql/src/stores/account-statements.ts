import type { AccountStatements, LockedAccount } from '@account-import/core'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { sqlPortCall } from '../failures/sql-port-call.js'
import { statementRow } from '../rows/statements.js'
import type { Session } from '../session/session.js'
import { accountKeyValues, ofAccount } from '../statements/account-key.js'
import { appendRows } from '../statements/append-rows.js'
import { selectRows } from '../statements/select-rows.js'
import type { Statements } from '../session/statements.js'
import { tables } from '../rows/tables.js'

const existingText = (dialect: SqlDialect): string =>
  `SELECT t.statement_id FROM ${dialect.jsonRows.textsJoin} ${tables.statements} AS t ` +
  `ON ${ofAccount('t')} AND t.statement_id = sent.value`

const existingIds = async (
  db: Statements,
  dialect: SqlDialect,
  account: LockedAccount,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (ids.length === 0) return new Set()
  const found = await selectRows<Readonly<{ statement_id: string }>>(db, existingText(dialect), [
    JSON.stringify(ids),
    ...accountKeyValues(account),
  ])
  return new Set(found.map(({ statement_id }) => statement_id))
}

const call = sqlPortCall('accountStatements')

export const sqlAccountStatements = (session: Session): AccountStatements => ({
  existingIds: (account, ids) =>
    call('existingIds', () => session.together((db) => existingIds(db, session.dialect, account, ids))),
  add: (account, statements) =>
    call('add', () =>
      session.together((db) => appendRows(db, session, account, tables.statements, statements, statementRow)),
    ),
})
