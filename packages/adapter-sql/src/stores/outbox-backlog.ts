import type { OutboxBacklog } from '@account-import/core'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { fromSqlInstant } from '../rows/instants.js'
import { tables } from '../rows/tables.js'
import type { Statements } from '../session/statements.js'
import { selectRows } from '../statements/select-rows.js'

type BacklogRow = Readonly<{ waiting: number; parked: number; first_due_at: string | null }>

/** What waits and what is parked, by one statement that reads at most `limit` entries of the index for each. */
export const backlogOf = async (
  db: Statements,
  dialect: SqlDialect,
  limit: number,
): Promise<OutboxBacklog> => {
  const inState = `${dialect.foundBy(tables.customerEmails, 'customer_emails_due')} WHERE state =`
  const countOf = (state: string): string =>
    `(SELECT COUNT(*) FROM (SELECT 1 AS found FROM ${inState} '${state}' LIMIT ${limit}) AS some_${state})`
  const text =
    `SELECT ${countOf('waiting')} AS waiting, ${countOf('parked')} AS parked, ` +
    `(SELECT due_at FROM ${inState} 'waiting' ORDER BY due_at LIMIT 1) AS first_due_at`
  const [row] = await selectRows<BacklogRow>(db, text, [])
  const { waiting = 0, parked = 0, first_due_at = null } = row ?? {}
  return {
    waiting: Number(waiting),
    parked: Number(parked),
    firstDueAt: first_due_at === null ? undefined : fromSqlInstant(first_due_at),
  }
}
