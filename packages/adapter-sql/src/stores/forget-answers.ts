import type { Instant } from '@account-import/core'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { toSqlInstant } from '../rows/instants.js'
import type { KeptAnswerRow } from '../rows/kept-answers.js'
import { tables } from '../rows/tables.js'
import type { Session } from '../session/session.js'
import type { Statements } from '../session/statements.js'
import { filledUp } from '../statements/filled-up.js'
import { marks } from '../statements/marks.js'
import { selectRows } from '../statements/select-rows.js'
import { updateRows } from '../statements/update-rows.js'
import { grouped } from './grouped.js'

type Expired = Pick<KeptAnswerRow, 'organisation' | 'request'>

const expired = (
  db: Statements,
  dialect: SqlDialect,
  at: string,
  limit: number,
): Promise<readonly Expired[]> =>
  selectRows<Expired>(
    db,
    `SELECT organisation, request FROM ${dialect.inOrderOf(tables.keptAnswers, 'kept_answers_by_end')} ` +
      `WHERE expires_at <= ? ORDER BY expires_at LIMIT ${limit}`,
    [at],
  )

/**
 * Removes what has expired, found by the index on its end and removed by its keys, of one organisation after the other. What
 * was claimed anew meanwhile stays. The keys are in order, so that those who do so at the same time wait, and do not clash.
 */
export const forgetAnswers = async (
  { dialect, query }: Session,
  at: Instant,
  limit: number,
): Promise<number> => {
  const end = toSqlInstant(at)
  const rows = await query((db) => expired(db, dialect, end, limit))
  const ofOrganisation = grouped(rows, ({ organisation }) => organisation)
  let forgotten = 0
  for (const organisation of [...new Set(rows.map((row) => row.organisation))].sort()) {
    const requests = filledUp(
      ofOrganisation(organisation)
        .map(({ request }) => request)
        .sort(),
    )
    const text =
      `DELETE FROM ${tables.keptAnswers} WHERE organisation = ? AND request IN (${marks(requests.length)}) ` +
      'AND expires_at <= ?'
    const bindings = [organisation, ...requests, end]
    forgotten += await query((db) => updateRows(db, text, bindings))
  }
  return forgotten
}
