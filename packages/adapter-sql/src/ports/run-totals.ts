import type { ConfirmedUndo, ImportRun, RunTotals } from '@account-import/core'
import { compareCodePoints, unnamedActor } from '@account-import/core/adapter-kit'
import { filledUp, grouped, instant, ofSupplier, placeholders, tables } from '../sql/rows.js'
import type { Db } from '../sql/session.js'

type CountRow = Readonly<{ import_run: string; accounts: number }>

const addTo = (counts: Map<string, number>, rows: readonly CountRow[]): void => {
  for (const { import_run: run, accounts } of rows) counts.set(run, Number(accounts))
}

/** The existing accounts of each run, of all runs of a supplier by one query, which reads an index alone. */
const existingAccounts = async (db: Db, runs: readonly ImportRun[]): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>()
  const table = db.dialect.foundBy(tables.accountImports, 'account_imports_created')
  for (const [first, ...others] of grouped(runs, ({ importSupplier }) => importSupplier).values()) {
    const ids = filledUp([first, ...others].map(({ id }) => id))
    const text =
      `SELECT created_in_run AS import_run, COUNT(*) AS accounts FROM ${table} WHERE ${ofSupplier} ` +
      `AND created_in_run IN (${placeholders(ids.length)}) GROUP BY created_in_run`
    addTo(counts, await db.select<CountRow>(text, [first.organisation, first.importSupplier, ...ids]))
  }
  return counts
}

const refusedAccounts = async (db: Db, runs: readonly ImportRun[]): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>()
  if (runs.length === 0) return counts
  const ids = filledUp(runs.map(({ id }) => id))
  const table = db.dialect.foundBy(tables.importRunFailures, 'import_run_failures_by_code')
  const text =
    `SELECT import_run, COUNT(*) AS accounts FROM ${table} ` +
    `WHERE import_run IN (${placeholders(ids.length)}) AND ordinal = 0 GROUP BY import_run`
  addTo(counts, await db.select<CountRow>(text, ids))
  return counts
}

/** The totals of runs of one organisation, in their order: counted now, also those of finished runs. */
export const totalsOf = async (db: Db, runs: readonly ImportRun[]): Promise<readonly RunTotals[]> => {
  const [existing, refused] = [await existingAccounts(db, runs), await refusedAccounts(db, runs)]
  return runs.map(({ id, undone }) => ({
    created: (existing.get(id) ?? 0) + (undone?.count ?? 0),
    refused: refused.get(id) ?? 0,
  }))
}

const undoneText =
  `UPDATE ${tables.importRuns} SET undone_accounts = undone_accounts + ?, undone_by = ?, ` +
  'undone_at = CASE WHEN undone_at > ? THEN undone_at ELSE ? END WHERE id = ? AND organisation = ?'

/**
 * Counts undone accounts in the runs that created them, in the transaction that undoes them. `runs`: the run of each account;
 * null for one that no run created.
 */
export const countUndone = async (
  db: Db,
  { organisation, at, by = unnamedActor }: ConfirmedUndo,
  runs: readonly (string | null)[],
): Promise<void> => {
  const counts = grouped(
    runs.flatMap((run) => run ?? []),
    (run) => run,
  )
  const now = instant.write(at)
  // In order, so that no two transactions wait for each other.
  for (const [run, accounts] of [...counts].sort(([a], [b]) => compareCodePoints(a, b)))
    await db.change(undoneText, [accounts.length, by.who, now, now, run, organisation])
}
