import type { Completion } from '@account-import/core'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { toSqlInstant } from '../rows/instants.js'
import { tables } from '../rows/tables.js'
import { endOfLine, sha256, withLine } from '../rows/unsealed-line.js'
import type { Session } from '../session/session.js'
import type { Statements } from '../session/statements.js'
import { filledUp } from '../statements/filled-up.js'
import { hasOneOfKeys } from '../statements/import-keys.js'
import { caseOf, marks } from '../statements/marks.js'
import { updateRows } from '../statements/update-rows.js'
import { endableClaims } from './endable-claims.js'

type Completed = 'completed' | 'claim_lost'

/** MySQL assigns from left to right: the token, by which each row knows its completion, goes last. */
const textOf = (dialect: SqlDialect, condition: string, count: number): string =>
  `UPDATE ${dialect.inOrderOf(tables.accountImports, 'PRIMARY')} SET state = 'created', ` +
  `unsealed = ${withLine(tables.accountImports, caseOf('claim_token', count))}, ` +
  'unsealed_since = COALESCE(unsealed_since, ?), ' +
  `platform_account_number = ${caseOf('claim_token', count)}, ` +
  `account_created_at = ${caseOf('claim_token', count)}, ` +
  'created_version = staged_version, latest_failure_code = NULL, latest_failure_at = NULL, ' +
  'holds_slot = 0, claim_expires_at = NULL, claim_token = NULL ' +
  `WHERE (${condition}) AND claim_token IN (${marks(count)}) AND platform_account_number IS NULL`

const lineOf = ({ platformAccountNumber: subject, at, by }: Completion): string =>
  endOfLine({ at, what: 'created', by, subject, after: sha256(subject) })

/** Marks the imports created whose claims are the ones named, in one statement; answers how many. In order of keys. */
const markCreated = async (
  db: Statements,
  dialect: SqlDialect,
  completions: readonly Completion[],
  only = '',
): Promise<number> => {
  const [first] = completions
  if (first === undefined) return 0
  const list = filledUp(completions)
  const { sql, bindings } = hasOneOfKeys(list.map(({ key }) => key))
  return updateRows(db, textOf(dialect, sql, list.length) + only, [
    ...list.flatMap((completion) => [completion.token, lineOf(completion)]),
    toSqlInstant(first.at),
    ...list.flatMap(({ token, platformAccountNumber }) => [token, platformAccountNumber]),
    ...list.flatMap(({ token, at }) => [token, toSqlInstant(at)]),
    ...bindings,
    ...list.map(({ token }) => token),
  ])
}

/**
 * Marks the imports created whose claims are still the ones named. One alone, if it holds no slot, needs no look at its
 * claim before.
 */
export const complete = (
  session: Session,
  completions: readonly Completion[],
): Promise<readonly Completed[]> =>
  session.transaction(async (db) => {
    if (
      completions.length === 1 &&
      (await markCreated(db, session.dialect, completions, ' AND holds_slot = 0')) === 1
    )
      return ['completed']
    const held = await endableClaims(db, session.dialect, completions)
    await markCreated(db, session.dialect, held)
    return completions.map((completion) => (held.includes(completion) ? 'completed' : 'claim_lost'))
  })
