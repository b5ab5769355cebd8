import type {
  ImportRun,
  ImportRuns,
  RunAccountsRequest,
  RunCounts,
  Instant,
  RunsPageRequest,
  RunStep,
} from '@account-import/core'
import { instantOf, millisecondsOf } from '@account-import/core'
import { interruptedAfterSeconds, placeOf, runSteps, standstillOf } from '@account-import/core/adapter-kit'
import { sqlPort } from '../sql/failures.js'
import { fromOptionalSqlInstant, fromSqlInstant, type NewRow, tables, toSqlInstant } from '../sql/rows.js'
import type { Db, Session } from '../sql/session.js'
import { merged } from '../sql/sql.js'
import { failuresOfRun, recordOutcomes, removePlaces } from './run-failures.js'
import { tellWebhooks } from './webhooks.js'

type RunRow = Readonly<{
  id: string
  organisation: string
  import_supplier: string
  label: string | null
  source_name: string | null
  source_sha256: string | null
  open_source: string | null
  started_by: string
  started_at: string
  latest_request_at: string
  latest_progress_at: string
  watched_since: string | null
  finished_at: string | null
  failures_removed_at: string | null
}>

const openSource = ({ source }: ImportRun): string | undefined => source && `${source.sha256} ${source.name}`

const rowOfRun = (run: ImportRun): NewRow<RunRow> => ({
  id: run.id,
  organisation: run.organisation,
  import_supplier: run.importSupplier,
  label: run.label,
  source_name: run.source?.name,
  source_sha256: run.source?.sha256,
  open_source: openSource(run),
  started_by: run.startedBy,
  started_at: toSqlInstant(run.startedAt),
  latest_request_at: toSqlInstant(run.latestRequestAt),
  latest_progress_at: toSqlInstant(run.latestProgressAt),
  watched_since: run.finishedAt === undefined ? toSqlInstant(run.latestProgressAt) : undefined,
  finished_at: run.finishedAt && toSqlInstant(run.finishedAt),
  failures_removed_at: run.failuresRemovedAt && toSqlInstant(run.failuresRemovedAt),
})

const runOf = (row: RunRow): ImportRun => ({
  id: row.id,
  organisation: row.organisation,
  importSupplier: row.import_supplier,
  label: row.label ?? undefined,
  source:
    row.source_name === null || row.source_sha256 === null
      ? undefined
      : { name: row.source_name, sha256: row.source_sha256 },
  startedBy: row.started_by,
  startedAt: fromSqlInstant(row.started_at),
  latestRequestAt: fromSqlInstant(row.latest_request_at),
  latestProgressAt: fromSqlInstant(row.latest_progress_at),
  finishedAt: fromOptionalSqlInstant(row.finished_at),
  failuresRemovedAt: fromOptionalSqlInstant(row.failures_removed_at),
})

const ofRun = 'WHERE id = ? AND organisation = ?'

const find = async (db: Db, organisation: string, id: string): Promise<ImportRun | undefined> => {
  const [row] = await db.select<RunRow>(`SELECT * FROM ${tables.importRuns} ${ofRun}`, [id, organisation])
  return row && runOf(row)
}

// `namedAt`, written out. MySQL sees values that it has just assigned, SQLite those before: `latest_request_at` comes last. After an
// interruption that was told only what is later counts, so that it is told once.
const progressText =
  `UPDATE ${tables.importRuns} SET latest_progress_at = ?, watched_since = ?, failures_removed_at = NULL, ` +
  `latest_request_at = CASE WHEN latest_request_at < ? THEN ? ELSE latest_request_at END ${ofRun} ` +
  'AND finished_at IS NULL AND latest_progress_at < ? AND (watched_since IS NOT NULL OR latest_request_at < ?)'

const requestText =
  `UPDATE ${tables.importRuns} SET ` +
  ['latest_progress_at', 'watched_since']
    .map(
      (column) =>
        `${column} = CASE WHEN watched_since IS NULL OR latest_request_at < ? THEN ? ELSE ${column} END, `,
    )
    .join('') +
  `failures_removed_at = NULL, latest_request_at = ? ${ofRun} AND finished_at IS NULL AND latest_request_at < ?`

const touch = async (
  db: Db,
  organisation: string,
  id: string,
  at: Instant,
  isProgress = false,
): Promise<void> => {
  const instant = toSqlInstant(at)
  const interrupted = toSqlInstant(instantOf(millisecondsOf(at) - interruptedAfterSeconds * 1000))
  await (isProgress
    ? db.change(progressText, [instant, instant, instant, instant, id, organisation, instant, instant])
    : db.change(requestText, [
        interrupted,
        instant,
        interrupted,
        instant,
        instant,
        id,
        organisation,
        instant,
      ]))
}

const sameText = `SELECT * FROM ${tables.importRuns} WHERE organisation = ? AND import_supplier = ? AND open_source = ?`

/** Two who open runs of one source at the same moment clash with the unique key of open sources: one of them finds the other's. */
const open = async ({ query, transaction }: Session, run: ImportRun): Promise<ImportRun> => {
  const source = openSource(run)
  for (;;) {
    const isNew = await transaction(async (db) => {
      if (!(await db.insertNew(tables.importRuns, [rowOfRun(run)]))) return false
      await tellWebhooks(db, run, 'run.started')
      return true
    })
    if (isNew) return run
    const known = [run.organisation, run.importSupplier, source ?? '']
    const [same] = await query((db) => db.select<RunRow>(sameText, known))
    // It was finished in between: then the next insert meets no other.
    if (same === undefined) continue
    return query(async (db) => {
      await touch(db, run.organisation, same.id, run.startedAt)
      return (await find(db, run.organisation, same.id)) ?? runOf(same)
    })
  }
}

const finishText =
  `UPDATE ${tables.importRuns} SET open_source = NULL, watched_since = NULL, finished_at = ?, ` +
  `latest_request_at = CASE WHEN latest_request_at < ? THEN ? ELSE latest_request_at END ${ofRun} AND finished_at IS NULL`

const finish = async (db: Db, organisation: string, id: string, at: ImportRun['startedAt']) => {
  const instant = toSqlInstant(at)
  const changed = await db.change(finishText, [instant, instant, instant, id, organisation])
  const run = await find(db, organisation, id)
  if (run !== undefined && changed === 1) await tellWebhooks(db, run, 'run.finished')
  return run
}

const watchedText =
  `UPDATE ${tables.importRuns} SET watched_since = ? ` +
  'WHERE id = ? AND watched_since = ? AND latest_request_at = ?'

/** If several servers look at the same time, one changes the row. If a request came meanwhile, none does. */
const noteStandstills = async (
  { query, transaction }: Session,
  before: Instant,
  limit: number,
): Promise<number> => {
  const rows = await query((db) => {
    const table = db.dialect.inOrderOf(tables.importRuns, 'import_runs_watched')
    const text = `SELECT * FROM ${table} WHERE watched_since < ? ORDER BY watched_since LIMIT ${Math.trunc(limit)}`
    return db.select<RunRow & Readonly<{ watched_since: string }>>(text, [toSqlInstant(before)])
  })
  let noted = 0
  for (const row of rows)
    noted += await transaction(async (db) => {
      const run = runOf(row)
      const standstill = standstillOf(run, before)
      if (standstill === undefined) return 0
      const { event, since } = standstill
      const watchedSince = fromSqlInstant(row.watched_since)
      const latestRequestAt = toSqlInstant(run.latestRequestAt)
      const next = event === 'run.stalled' ? latestRequestAt : null
      const known = [run.id, toSqlInstant(watchedSince), latestRequestAt]
      if ((await db.change(watchedText, [next, ...known])) === 0) return 0
      // The stall was told, and goes on.
      if (event === 'run.stalled' && watchedSince > since) return 0
      await tellWebhooks(db, run, event)
      return 1
    })
  return noted
}

const page = async (
  db: Db,
  { organisation, importSupplier, after, limit }: RunsPageRequest,
): Promise<readonly ImportRun[]> => {
  const index = importSupplier === undefined ? 'import_runs_of_organisation' : 'import_runs_of_supplier'
  const table = db.dialect.inOrderOf(tables.importRuns, index)
  const of = importSupplier === undefined ? 'organisation = ?' : 'organisation = ? AND import_supplier = ?'
  const owner = importSupplier === undefined ? [organisation] : [organisation, importSupplier]
  const end = `ORDER BY started_at DESC, id DESC LIMIT ${Math.trunc(limit)}`
  const ranges = after === undefined ? [''] : ['AND started_at = ? AND id < ?', 'AND started_at < ?']
  const text = merged(
    db.dialect,
    ranges.map((range) => `SELECT * FROM ${table} WHERE ${of} ${range} ${end}`),
    end,
  )
  const startedAt = after && toSqlInstant(after.startedAt)
  const bindings =
    startedAt === undefined ? owner : [...owner, startedAt, after?.id ?? '', ...owner, startedAt]
  return (await db.select<RunRow>(text, bindings)).map(runOf)
}

type ErrorRow = Readonly<{ step: RunStep; code: string; field: string; failures: number }>

const errorsText =
  `SELECT step, code, field, COUNT(*) AS failures FROM ${tables.importRunFailures} WHERE import_run = ? ` +
  'GROUP BY step, code, field ORDER BY failures DESC, step, code, field LIMIT 20'

const failedText =
  `SELECT step, COUNT(*) AS failures FROM ${tables.importRunFailures} WHERE import_run = ? AND ordinal = 0 ` +
  'GROUP BY step'

const counts = async (
  db: Db,
  { id, organisation, importSupplier }: Pick<ImportRun, 'id' | 'organisation' | 'importSupplier'>,
): Promise<RunCounts> => {
  const countOf = async (table: string, index: string): Promise<number> => {
    const text =
      `SELECT COUNT(*) AS accounts FROM ${db.dialect.foundBy(table, index)} ` +
      'WHERE organisation = ? AND import_supplier = ? AND import_run = ?'
    const [row] = await db.select<{ accounts: number }>(text, [organisation, importSupplier, id])
    return Number(row?.accounts)
  }
  const failed = await db.select<Omit<ErrorRow, 'code' | 'field'>>(failedText, [id])
  const errors = await db.select<ErrorRow>(errorsText, [id])
  return {
    staged: await countOf(tables.accountImports, 'account_imports_runs'),
    created: await countOf(tables.accounts, 'accounts_by_run'),
    failed: Object.fromEntries(
      runSteps.map((step) => [step, Number(failed.find((row) => row.step === step)?.failures ?? 0)]),
    ) as RunCounts['failed'],
    errors: errors.map(({ failures: count, ...error }) => ({ ...error, count: Number(count) })),
  }
}

const createdAccounts = async (
  db: Db,
  { organisation, importSupplier, run, after = '', limit }: RunAccountsRequest,
): Promise<readonly string[]> => {
  const text =
    `SELECT external_account_number FROM ${db.dialect.inOrderOf(tables.accounts, 'accounts_by_run')} ` +
    'WHERE organisation = ? AND import_supplier = ? AND import_run = ? AND external_account_number > ? ' +
    `ORDER BY external_account_number LIMIT ${Math.trunc(limit)}`
  const rows = await db.select<{ external_account_number: string }>(text, [
    organisation,
    importSupplier,
    run,
    after,
  ])
  return rows.map((row) => row.external_account_number)
}

const dueText =
  `SELECT id FROM ${tables.importRuns} WHERE organisation = ? AND import_supplier = ? ` +
  'AND latest_request_at <= ? AND failures_removed_at IS NULL ORDER BY id LIMIT 1'

/** Not of a run that was named in the meantime. */
const goneText = `UPDATE ${tables.importRuns} SET failures_removed_at = ? WHERE id = ? AND latest_request_at <= ?`

const removeFailures = async (
  { query }: Session,
  { organisation, importSupplier, until, at, limit }: Parameters<ImportRuns['removeFailures']>[0],
): Promise<number> => {
  let removed = 0
  while (removed < limit) {
    const due = [organisation, importSupplier, toSqlInstant(until)]
    const [run] = await query((db) => db.select<{ id: string }>(dueText, due))
    if (run === undefined) return removed
    const places = await query(async (db) =>
      (await failuresOfRun(db, { run: run.id, after: undefined, limit: limit - removed })).map(placeOf),
    )
    await query((db) =>
      places.length === 0
        ? db.change(goneText, [toSqlInstant(at), run.id, toSqlInstant(until)]).then(() => undefined)
        : removePlaces(db, run.id, places),
    )
    removed += places.length
  }
  return removed
}

export const sqlImportRuns = (session: Session): ImportRuns => {
  const { query, transaction } = session
  return sqlPort<ImportRuns>('importRuns', {
    open: (run) => open(session, run),
    find: (organisation, id) => query((db) => find(db, organisation, id)),
    touch: (organisation, id, at, isProgress) => query((db) => touch(db, organisation, id, at, isProgress)),
    finish: (organisation, id, at) => transaction((db) => finish(db, organisation, id, at)),
    noteStandstills: (before, limit) => noteStandstills(session, before, limit),
    page: (request) => query((db) => page(db, request)),
    record: (request) => transaction((db) => recordOutcomes(db, request)),
    failures: (request) => query((db) => failuresOfRun(db, request)),
    counts: (run) => query((db) => counts(db, run)),
    createdAccounts: (request) => query((db) => createdAccounts(db, request)),
    removeFailures: (request) => removeFailures(session, request),
  })
}
