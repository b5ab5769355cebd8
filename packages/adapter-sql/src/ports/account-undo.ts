import type { AccountUndo, ConfirmedUndo, UndoOutcome, UndoRequest } from '@account-import/core'
import { asPreviewed, undoOutcome } from '@account-import/core/adapter-kit'
import type { Knex } from 'knex'
import { sqlPort } from '../sql/failures.js'
import { hasOneOfKeys, instant, tables } from '../sql/rows.js'
import { type Db, fittingPage, type Length, type Session } from '../sql/session.js'
import { type Hooks, type HookTransaction, refusedBy } from './hooks.js'
import { updateImports } from './import-rows.js'
import { countUndone } from './run-totals.js'

/** Most accounts that one transaction undoes, because it locks their rows meanwhile. */
const atOnce = 100

type SeenRow = Readonly<{
  external_account_number: string
  platform_account_number: string
  additions: number
  is_erased: 0 | 1
  created_in_run: string | null
}>

type Where = Readonly<{ sql: string; bindings: readonly string[] }>

/** The outcome of an account, and the run that created it. */
type Seen = Readonly<{ outcome: UndoOutcome; run: string | null }>

/** Reads the accounts, and returns what is found of each. `end` ends both statements: a lock, or nothing. */
const readAccounts = async (
  db: Db,
  where: Where,
  { withAdditions, at }: UndoRequest,
  end = '',
): Promise<(number: string) => Seen> => {
  const tableOf = (name: string): string => db.dialect.inOrderOf(name, 'PRIMARY')
  const accounts = await db.select<SeenRow>(
    'SELECT external_account_number, platform_account_number, additions, created_in_run, ' +
      // An import may have been erased before its account was created.
      'CASE WHEN erased_at >= account_created_at THEN 1 ELSE 0 END AS is_erased ' +
      `FROM ${tableOf(tables.accountImports)} WHERE (${where.sql}) AND state = 'created' ${end}`,
    where.bindings,
  )
  const emails = await db.select<Readonly<{ external_account_number: string; is_being_sent: 0 | 1 }>>(
    'SELECT external_account_number, CASE WHEN claim_token IS NOT NULL AND due_at > ? THEN 1 ELSE 0 END AS is_being_sent ' +
      `FROM ${tableOf(tables.customerEmails)} WHERE ${where.sql} ${end}`,
    [instant.write(at), ...where.bindings],
  )
  const rows = new Map(accounts.map((row) => [row.external_account_number, row]))
  const sending = new Set(emails.filter((row) => row.is_being_sent).map((row) => row.external_account_number))
  return (number) => {
    const row = rows.get(number)
    const found = row && {
      platformAccountNumber: row.platform_account_number,
      additions: row.additions,
      isErased: Boolean(row.is_erased),
      isEmailBeingSent: sending.has(number),
    }
    return { outcome: undoOutcome(found, withAdditions), run: row?.created_in_run ?? null }
  }
}

const whereOf = ({ organisation, importSupplier }: UndoRequest, numbers: readonly string[]): Where =>
  hasOneOfKeys(
    numbers.map((externalAccountNumber) => ({ organisation, importSupplier, externalAccountNumber })),
  )

/** The row of an undone import, equal to one that was never staged. */
const neverStaged =
  "staged_version = 0, first_staged_at = NULL, staged_at = NULL, staging_id = NULL, import_run = NULL, state = 'none', attempts = 0, " +
  'platform_account_number = NULL, account_created_at = NULL, created_version = NULL, created_format = NULL, ' +
  'created_in_run = NULL, operations_team = NULL, additions = 0, validated_under = NULL, warned = NULL, payload = NULL, ' +
  'remains = NULL, data_key = NULL, payload_removed_at = NULL, erased_at = NULL'

type Undone = Readonly<{ number: string; platformAccountNumber: string; run: string | null }>

const markUndone = async (
  db: Db,
  undone: readonly Undone[],
  { organisation, importSupplier, at, by }: ConfirmedUndo,
): Promise<unknown> =>
  updateImports(
    db,
    undone.map(({ number: externalAccountNumber, platformAccountNumber: subject }) => {
      return { key: { organisation, importSupplier, externalAccountNumber }, subject }
    }),
    { event: ({ subject }) => ({ at, what: 'undone', by, subject }), set: neverStaged },
  )

/** Tables with rows of an account besides its import. */
const emptied = [tables.openFailures, tables.accountItems, tables.customerEmails, tables.idempotencyRecords]

/** The outcomes after the embedding program was asked. */
const agreed = async (
  { onAccountsUndone }: Hooks,
  trx: Knex | undefined,
  { organisation, importSupplier }: ConfirmedUndo,
  numbers: readonly string[],
  outcomes: readonly UndoOutcome[],
): Promise<readonly UndoOutcome[]> => {
  const accounts = outcomes.flatMap((outcome, index) => {
    if (outcome._tag === 'kept') return []
    const { platformAccountNumber, additions } = outcome
    const key = { organisation, importSupplier, externalAccountNumber: numbers[index] as string }
    return [{ key, platformAccountNumber, additions }]
  })
  const refused = await refusedBy(onAccountsUndone, trx, accounts)
  return outcomes.map((outcome) =>
    outcome._tag === 'undoable' && refused.has(outcome.platformAccountNumber)
      ? { _tag: 'kept', reason: 'refused_by_platform' }
      : outcome,
  )
}

type Page = Readonly<{ request: ConfirmedUndo; numbers: readonly string[]; from: number }>

/** Runs in one transaction. Locks the imports in the order of their keys, as the creation does. */
const undoPage = async (
  db: Db,
  hooks: Hooks,
  trx: Knex | undefined,
  { request, numbers, from }: Page,
): Promise<readonly UndoOutcome[]> => {
  const where = whereOf(request, numbers)
  const seen = numbers.map(await readAccounts(db, where, request, db.dialect.forUpdate))
  const found = seen.map(({ outcome }, index) => asPreviewed(outcome, request.previewed[from + index]))
  const outcomes = await agreed(hooks, trx, request, numbers, found)
  const undone = outcomes.flatMap((outcome, index) =>
    outcome._tag === 'undoable'
      ? [
          {
            number: numbers[index] as string,
            platformAccountNumber: outcome.platformAccountNumber,
            run: seen[index]?.run ?? null,
          },
        ]
      : [],
  )
  if (undone.length === 0) return outcomes
  const theirs = whereOf(
    request,
    undone.map(({ number }) => number),
  )
  for (const table of emptied) await db.change(`DELETE FROM ${table} WHERE ${theirs.sql}`, theirs.bindings)
  await markUndone(db, undone, request)
  await countUndone(
    db,
    request,
    undone.map(({ run }) => run),
  )
  return outcomes
}

/** How many of the accounts, the first ones, have texts that fit into a page: SQLite holds the thread and memory for a transaction. */
const fitting = async (db: Db, request: UndoRequest, numbers: readonly string[]): Promise<number> => {
  const { sql, bindings } = whereOf(request, numbers)
  const rows = await db.select<Length & Pick<SeenRow, 'external_account_number'>>(
    `SELECT external_account_number, ${db.dialect.bytesOf('payload')} AS bytes FROM ${tables.accountImports} WHERE ${sql}`,
    bindings,
  )
  const lengths = new Map(rows.map((row) => [row.external_account_number, row.bytes]))
  const inOrder = numbers.map((number) => ({ bytes: lengths.get(number) ?? 0 }))
  return fittingPage(inOrder, numbers.length).items.length
}

/**
 * Runs the work page by page, and joins the outcomes. `from`: the number of accounts before the page; `fits`: how many of the
 * next accounts may be in the page, at least one.
 */
const inPages = async (
  { externalAccountNumbers: all }: UndoRequest,
  work: (numbers: readonly string[], from: number) => Promise<readonly UndoOutcome[]>,
  fits: (next: readonly string[]) => Promise<number> = async ({ length }) => length,
): Promise<readonly UndoOutcome[]> => {
  const outcomes: UndoOutcome[] = []
  while (outcomes.length < all.length) {
    const from = outcomes.length
    const next = all.slice(from, from + atOnce)
    outcomes.push(...(await work(next.slice(0, await fits(next)), from)))
  }
  return outcomes
}

export const sqlAccountUndo = (
  { query }: Session,
  inTransaction: HookTransaction,
  hooks: Hooks,
): AccountUndo =>
  sqlPort<AccountUndo>('accountUndo', {
    canUndo: (request) =>
      inPages(request, (numbers) =>
        query(async (db) => {
          const seenOf = await readAccounts(db, whereOf(request, numbers), request)
          return numbers.map((number) => seenOf(number).outcome)
        }),
      ),
    undo: (request) =>
      inPages(
        request,
        (numbers, from) =>
          inTransaction(request.organisation, (db, trx) =>
            undoPage(db, hooks, trx, { request, numbers, from }),
          ),
        (next) => query((db) => fitting(db, request, next)),
      ),
  })
