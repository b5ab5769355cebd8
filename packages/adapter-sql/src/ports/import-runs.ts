import type {
  AccountKey,
  FailurePlace,
  ImportRun,
  ImportRuns,
  RecordRequest,
  RunAccountsRequest,
  RunCounts,
  RunFailure,
  RunFailuresRequest,
  RunOutcome,
  RunsPageRequest,
  RunStep,
} from '@account-import/core'
import { placeOf, runSteps } from '@account-import/core/adapter-kit'
import { sqlPort } from '../sql/failures.js'
import { fromOptionalSqlInstant, fromSqlInstant, type NewRow, tables, toSqlInstant } from '../sql/rows.js'
import type { Db, Session } from '../sql/session.js'
import { filledUp, merged, placeholders } from '../sql/sql.js'

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
  finished_at: string | null
  failures_removed_at: string | null
}>

type FailureRow = Readonly<{
  import_run: string
  step: RunStep
  line: number
  external_account_number: string
  ordinal: number
  refusal: string
  code: string
  field: string
  attr: string | null
  times: number
  failed_at: string
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
  finishedAt: fromOptionalSqlInstant(row.finished_at),
  failuresRemovedAt: fromOptionalSqlInstant(row.failures_removed_at),
})

const ofRun = 'WHERE id = ? AND organisation = ?'

const find = async (db: Db, organisation: string, id: string): Promise<ImportRun | undefined> => {
  const [row] = await db.select<RunRow>(`SELECT * FROM ${tables.importRuns} ${ofRun}`, [id, organisation])
  return row && runOf(row)
}

// A run that goes on may be refused accounts again: those are due anew.
const touchText =
  `UPDATE ${tables.importRuns} SET latest_request_at = ?, failures_removed_at = NULL ${ofRun} ` +
  'AND finished_at IS NULL AND latest_request_at < ?'

const touch = async (db: Db, organisation: string, id: string, at: ImportRun['startedAt']): Promise<void> => {
  await db.change(touchText, [toSqlInstant(at), id, organisation, toSqlInstant(at)])
}

const sameText = `SELECT * FROM ${tables.importRuns} WHERE organisation = ? AND import_supplier = ? AND open_source = ?`

/** Two who open runs of one source at the same moment clash with the unique key of open sources: one of them finds the other's. */
const open = async (db: Db, run: ImportRun): Promise<ImportRun> => {
  const source = openSource(run)
  for (;;) {
    if (await db.insertNew(tables.importRuns, [rowOfRun(run)])) return run
    const [same] = await db.select<RunRow>(sameText, [run.organisation, run.importSupplier, source ?? ''])
    // It was finished in between: then the next insert meets no other.
    if (same === undefined) continue
    await touch(db, run.organisation, same.id, run.startedAt)
    return (await find(db, run.organisation, same.id)) ?? runOf(same)
  }
}

const finishText =
  `UPDATE ${tables.importRuns} SET open_source = NULL, finished_at = ?, ` +
  `latest_request_at = CASE WHEN latest_request_at < ? THEN ? ELSE latest_request_at END ${ofRun} AND finished_at IS NULL`

const finish = async (db: Db, organisation: string, id: string, at: ImportRun['startedAt']) => {
  const instant = toSqlInstant(at)
  await db.change(finishText, [instant, instant, instant, id, organisation])
  return find(db, organisation, id)
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

const rowsOfFailure = (
  { run, step, at }: RecordRequest,
  { failure, ...outcome }: RunOutcome,
): readonly NewRow<FailureRow>[] => {
  if (failure === undefined) return []
  const { line, externalAccountNumber } = placeOf({ step, ...outcome })
  const shared = {
    import_run: run,
    step,
    line,
    external_account_number: externalAccountNumber,
    refusal: failure.code,
    failed_at: toSqlInstant(at),
  }
  if (failure.findings.length === 0)
    return [{ ...shared, ordinal: 0, code: failure.code, field: '', attr: undefined, times: 1 }]
  return failure.findings.map((finding, ordinal) => ({ ...shared, ordinal, ...finding }))
}

/** Each place names the run: SQLite goes over the whole run where the run stands once, before the places. */
const ofPlace = '(import_run = ? AND step = ? AND line = ? AND external_account_number = ?)'

/** Places that one statement names at most. */
const mostPlaces = 64

/** Removes the failures of these places, which are of one step. */
const remove = async (db: Db, run: string, places: readonly FailurePlace[]): Promise<void> => {
  for (let from = 0; from < places.length; from += mostPlaces) {
    const list = filledUp(places.slice(from, from + mostPlaces))
    await db.change(
      `DELETE FROM ${tables.importRunFailures} WHERE ${list.map(() => ofPlace).join(' OR ')}`,
      list.flatMap(({ step, line, externalAccountNumber }) => [run, step, line, externalAccountNumber]),
    )
  }
}

const record = async (db: Db, request: RecordRequest): Promise<void> => {
  const { run, step, outcomes } = request
  await remove(
    db,
    run,
    outcomes.map((outcome) => placeOf({ step, ...outcome })),
  )
  const rows = outcomes.flatMap((outcome) => rowsOfFailure(request, outcome))
  if (rows.length > 0) await db.insert(tables.importRunFailures, rows)
}

/** Rows that a failure has at most, as it keeps so many findings. */
const mostRows = 20

const inOrder = 'ORDER BY step, line, external_account_number, ordinal'

const failureRows = (db: Db, { run, after, limit }: RunFailuresRequest): Promise<readonly FailureRow[]> => {
  const end = `${inOrder} LIMIT ${Math.trunc(limit) * mostRows}`
  const ranges =
    after === undefined
      ? ['']
      : [
          'AND step = ? AND line = ? AND external_account_number > ?',
          'AND step = ? AND line > ?',
          'AND step > ?',
        ]
  const table = db.dialect.inOrderOf(tables.importRunFailures, 'PRIMARY')
  const text = merged(
    db.dialect,
    ranges.map((range) => `SELECT * FROM ${table} WHERE import_run = ? ${range} ${end}`),
    end,
  )
  const bindings =
    after === undefined
      ? [run]
      : [
          run,
          after.step,
          after.line,
          after.externalAccountNumber,
          run,
          after.step,
          after.line,
          run,
          after.step,
        ]
  return db.select<FailureRow>(text, bindings)
}

const failureOf = (rows: readonly [FailureRow, ...FailureRow[]]): RunFailure => {
  const [first] = rows
  return {
    step: first.step,
    line: Number(first.line) === 0 ? undefined : Number(first.line),
    externalAccountNumber: first.external_account_number === '' ? undefined : first.external_account_number,
    code: first.refusal,
    findings: rows.flatMap(({ code, field, attr, times }) =>
      attr === null ? [] : [{ code, field, attr, times }],
    ),
    failedAt: fromSqlInstant(first.failed_at),
  }
}

const failuresIn = (rows: readonly FailureRow[]): readonly RunFailure[] => {
  const found: [FailureRow, ...FailureRow[]][] = []
  for (const row of rows) {
    if (Number(row.ordinal) === 0) found.push([row])
    else found.at(-1)?.push(row)
  }
  return found.map(failureOf)
}

/** Each of the first `limit` failures has all its rows within those that are read. */
const failures = async (db: Db, request: RunFailuresRequest): Promise<readonly RunFailure[]> =>
  failuresIn(await failureRows(db, request)).slice(0, request.limit)

/** Runs that one statement names at most. */
const mostRuns = 256

/** Does the work for the runs of a supplier, some at a time, in the order of their ids. */
const eachRuns = async <A>(
  db: Db,
  { organisation, importSupplier }: AccountKey,
  work: (runs: readonly string[]) => Promise<A>,
): Promise<readonly A[]> => {
  const text = `SELECT id FROM ${tables.importRuns} WHERE organisation = ? AND import_supplier = ? ORDER BY id`
  const rows = await db.select<{ id: string }>(text, [organisation, importSupplier])
  const done: A[] = []
  for (let from = 0; from < rows.length; from += mostRuns)
    done.push(await work(filledUp(rows.slice(from, from + mostRuns).map(({ id }) => id))))
  return done
}

const ofAccount = (runs: number): string =>
  `WHERE import_run IN (${placeholders(runs)}) AND external_account_number = ?`

/** That runs were refused the account: by run, and then in the order of their places. */
export const failuresOfAccount = async (db: Db, key: AccountKey): Promise<readonly RunFailure[]> =>
  (
    await eachRuns(db, key, async (runs) =>
      failuresIn(
        await db.select<FailureRow>(
          `SELECT * FROM ${tables.importRunFailures} ${ofAccount(runs.length)} ORDER BY import_run, step, line, ordinal`,
          [...runs, key.externalAccountNumber],
        ),
      ),
    )
  ).flat()

/** Answers how many failures of the account there were. */
export const eraseRunFailures = async (db: Db, key: AccountKey): Promise<number> => {
  const { length } = await failuresOfAccount(db, key)
  if (length > 0)
    await eachRuns(db, key, (runs) =>
      db.change(`DELETE FROM ${tables.importRunFailures} ${ofAccount(runs.length)}`, [
        ...runs,
        key.externalAccountNumber,
      ]),
    )
  return length
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
      (await failures(db, { run: run.id, after: undefined, limit: limit - removed })).map(placeOf),
    )
    await query((db) =>
      places.length === 0
        ? db.change(goneText, [toSqlInstant(at), run.id, toSqlInstant(until)]).then(() => undefined)
        : remove(db, run.id, places),
    )
    removed += places.length
  }
  return removed
}

export const sqlImportRuns = (session: Session): ImportRuns => {
  const { query, transaction } = session
  return sqlPort<ImportRuns>('importRuns', {
    open: (run) => query((db) => open(db, run)),
    find: (organisation, id) => query((db) => find(db, organisation, id)),
    touch: (organisation, id, at) => query((db) => touch(db, organisation, id, at)),
    finish: (organisation, id, at) => query((db) => finish(db, organisation, id, at)),
    page: (request) => query((db) => page(db, request)),
    record: (request) => transaction((db) => record(db, request)),
    failures: (request) => query((db) => failures(db, request)),
    counts: (run) => query((db) => counts(db, run)),
    createdAccounts: (request) => query((db) => createdAccounts(db, request)),
    removeFailures: (request) => removeFailures(session, request),
  })
}
