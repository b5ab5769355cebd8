import {
  type ImportRun,
  type ImportRuns,
  type Instant,
  instantOf,
  millisecondsOf,
  type RunCounts,
  type RunStep,
  runSteps,
} from '@account-import/core'
import { interruptedAfterSeconds, placeOf, standstillOf } from '@account-import/core/adapter-kit'
import { sqlPort } from '../sql/failures.js'
import { instant, ofSupplier, optionalInstant, plain, recordTable, type Row, tables } from '../sql/rows.js'
import type { Db, Session } from '../sql/session.js'
import {
  dismissOpen,
  hasFailures,
  openCounts,
  openFailuresOf,
  recordOpen,
  removeOpenOf,
} from './open-failures.js'
import { failuresOfRun, failuresWith, recordOutcomes, removePlaces } from './run-failures.js'
import { totalsOf } from './run-totals.js'
import { storeDeliveries } from './webhooks.js'

const runs = recordTable<Omit<ImportRun, 'source' | 'totals' | 'undone'>>(tables.importRuns, {
  id: plain(),
  organisation: plain(),
  importSupplier: plain(),
  label: plain(),
  startedBy: plain(),
  startedAt: instant,
  latestRequestAt: instant,
  latestProgressAt: instant,
  finishedAt: optionalInstant,
  failuresRemovedAt: optionalInstant,
})

type RunRow = Row &
  Readonly<{
    id: string
    source_name: string | null
    source_sha256: string | null
    source_accounts: number | null
    watched_since: string | null
    created_accounts: number | null
    refused_accounts: number | null
    undone_accounts: number
    undone_at: string | null
    undone_by: string | null
  }>

const openSource = ({ source }: ImportRun): string | undefined => source && `${source.sha256} ${source.name}`

const rowOfRun = (run: ImportRun): Row => ({
  ...runs.rowOf(run),
  source_name: run.source?.name,
  source_sha256: run.source?.sha256,
  source_accounts: run.source?.accounts,
  open_source: openSource(run),
  created_accounts: run.totals?.created,
  refused_accounts: run.totals?.refused,
  undone_accounts: run.undone?.count ?? 0,
  undone_at: optionalInstant.write(run.undone?.latestAt),
  undone_by: run.undone?.latestBy,
  watched_since: run.finishedAt === undefined ? instant.write(run.latestProgressAt) : undefined,
})

const runOf = (row: RunRow): ImportRun => {
  const {
    source_name: name,
    source_sha256: sha256,
    source_accounts: accounts,
    created_accounts: created,
    refused_accounts: refused,
  } = row
  const { undone_accounts: count, undone_at: at, undone_by: by } = row
  return {
    ...runs.recordOf(row),
    source:
      name === null || sha256 === null ? undefined : { name, sha256, ...(accounts !== null && { accounts }) },
    totals: created === null || refused === null ? undefined : { created, refused },
    undone: at === null || by === null ? undefined : { count, latestAt: instant.read(at), latestBy: by },
  }
}

const ofRun = 'WHERE id = ? AND organisation = ?'

const find = async (db: Db, organisation: string, id: string): Promise<ImportRun | undefined> => {
  const [row] = await db.select<RunRow>(`SELECT * FROM ${tables.importRuns} ${ofRun}`, [id, organisation])
  return row && runOf(row)
}

// The SQL form of `namedAt`. MySQL expressions see the values assigned before them, SQLite's the old ones: `latest_request_at`
// comes last. After a reported interruption only later progress counts, so that it is reported once.
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
  const now = instant.write(at)
  const interrupted = instant.write(instantOf(millisecondsOf(at) - interruptedAfterSeconds * 1000))
  const run = [id, organisation]
  await (isProgress
    ? db.change(progressText, [now, now, now, now, ...run, now, now])
    : db.change(requestText, [interrupted, now, interrupted, now, now, ...run, now]))
}

const sameText = `SELECT * FROM ${tables.importRuns} WHERE ${ofSupplier} AND open_source = ?`

const finishText =
  `UPDATE ${tables.importRuns} SET open_source = NULL, watched_since = NULL, finished_at = ?, ` +
  `latest_request_at = CASE WHEN latest_request_at < ? THEN ? ELSE latest_request_at END ${ofRun} AND finished_at IS NULL`

const totalsText = `UPDATE ${tables.importRuns} SET created_accounts = ?, refused_accounts = ? ${ofRun}`

const watchedText =
  `UPDATE ${tables.importRuns} SET watched_since = ? ` +
  'WHERE id = ? AND watched_since = ? AND latest_request_at = ?'

type ErrorRow = Readonly<{ step: RunStep; code: string; field: string; failures: number }>

const errorsText =
  `SELECT step, code, field, COUNT(*) AS failures FROM ${tables.importRunFailures} WHERE import_run = ? ` +
  'GROUP BY step, code, field ORDER BY failures DESC, step, code, field LIMIT 20'

const failedText =
  `SELECT step, COUNT(*) AS failures FROM ${tables.importRunFailures} WHERE import_run = ? AND ordinal = 0 ` +
  'GROUP BY step'

const dueText =
  `SELECT id FROM ${tables.importRuns} WHERE ${ofSupplier} ` +
  'AND latest_request_at <= ? AND failures_removed_at IS NULL ORDER BY id LIMIT 1'

/** Skips a run that was named in the meantime. */
const goneText = `UPDATE ${tables.importRuns} SET failures_removed_at = ? WHERE id = ? AND latest_request_at <= ?`

export const sqlImportRuns = (session: Session): ImportRuns => {
  const { inQuery, inTransaction, query, transaction } = session
  return sqlPort<ImportRuns>('importRuns', {
    // If two callers open runs of one source at the same moment, the unique key of open sources refuses one, which returns the
    // run of the other.
    open: async (run) => {
      const source = openSource(run)
      for (;;) {
        const isNew = await transaction(async (db) => {
          if (!(await db.insertNew(tables.importRuns, [rowOfRun(run)]))) return false
          await storeDeliveries(db, run, 'run.started')
          return true
        })
        if (isNew) return run
        const known = [run.organisation, run.importSupplier, source ?? '']
        const [same] = await query((db) => db.select<RunRow>(sameText, known))
        // The run was finished in between: the next insert finds no other.
        if (same === undefined) continue
        return query(async (db) => {
          await touch(db, run.organisation, same.id, run.startedAt)
          return (await find(db, run.organisation, same.id)) ?? runOf(same)
        })
      }
    },
    find: inQuery(find),
    touch: inQuery(touch),
    finish: inTransaction(async (db, organisation, id, at) => {
      const now = instant.write(at)
      const isFinished = await db.changeOne(finishText, [now, now, now, id, organisation])
      const run = await find(db, organisation, id)
      if (run === undefined || !isFinished) return run
      const [totals] = await totalsOf(db, [run])
      await db.change(totalsText, [totals?.created ?? 0, totals?.refused ?? 0, id, organisation])
      await storeDeliveries(db, run, 'run.finished')
      return { ...run, totals }
    }),
    // One of several concurrent servers changes the row. None does if a request came meanwhile.
    noteStandstills: async (before, limit) => {
      const rows = await query((db) => {
        const table = db.dialect.inOrderOf(tables.importRuns, 'import_runs_watched')
        const text = `SELECT * FROM ${table} WHERE watched_since < ? ORDER BY watched_since LIMIT ${Math.trunc(limit)}`
        return db.select<RunRow & Readonly<{ watched_since: string }>>(text, [instant.write(before)])
      })
      let noted = 0
      for (const row of rows)
        noted += await transaction(async (db) => {
          const run = runOf(row)
          const standstill = standstillOf(run, before)
          if (standstill === undefined) return 0
          const { event, since } = standstill
          const watchedSince = instant.read(row.watched_since)
          const latestRequestAt = instant.write(run.latestRequestAt)
          const next = event === 'run.stalled' ? latestRequestAt : null
          const known = [run.id, instant.write(watchedSince), latestRequestAt]
          if ((await db.change(watchedText, [next, ...known])) === 0) return 0
          // The stall was reported, and continues.
          if (event === 'run.stalled' && watchedSince > since) return 0
          await storeDeliveries(db, run, event)
          return 1
        })
      return noted
    },
    page: inQuery(async (db, { organisation, importSupplier, after, limit }) => {
      const [index, of, owner] =
        importSupplier === undefined
          ? (['import_runs_of_organisation', 'organisation = ?', [organisation]] as const)
          : (['import_runs_of_supplier', ofSupplier, [organisation, importSupplier]] as const)
      const table = db.dialect.inOrderOf(tables.importRuns, index)
      const rows = await db.page<RunRow>(`SELECT * FROM ${table} WHERE ${of}`, owner, {
        order: ['started_at', 'id'],
        after: after && [instant.write(after.startedAt), after.id],
        limit,
        isDescending: true,
      })
      return rows.map(runOf)
    }),
    record: inTransaction(async (db, request) => {
      await recordOutcomes(db, request)
      await recordOpen(db, request)
    }),
    failures: inQuery((db, { error, ...request }) =>
      error === undefined ? failuresOfRun(db, request) : failuresWith(db, error, request),
    ),
    hasFailures: inQuery(hasFailures),
    openFailures: inQuery(openFailuresOf),
    openFailureCounts: inQuery(openCounts),
    dismissFailures: inTransaction(dismissOpen),
    totals: inQuery(totalsOf),
    counts: inQuery(async (db, { id, organisation, importSupplier, undone, totals }) => {
      const removed = undone?.count ?? 0
      const countOf = async (column: string, index: string): Promise<number> => {
        const text =
          `SELECT COUNT(*) AS accounts FROM ${db.dialect.foundBy(tables.accountImports, index)} ` +
          `WHERE ${ofSupplier} AND ${column} = ?`
        const [row] = await db.select<{ accounts: number }>(text, [organisation, importSupplier, id])
        return Number(row?.accounts)
      }
      const failed = await db.select<Omit<ErrorRow, 'code' | 'field'>>(failedText, [id])
      const errors = await db.select<ErrorRow>(errorsText, [id])
      return {
        staged: removed + (await countOf('import_run', 'account_imports_runs')),
        // A finished run creates no more.
        created: totals?.created ?? removed + (await countOf('created_in_run', 'account_imports_created')),
        failed: Object.fromEntries(
          runSteps.map((step) => [step, Number(failed.find((row) => row.step === step)?.failures ?? 0)]),
        ) as RunCounts['failed'],
        errors: errors.map(({ failures: count, ...error }) => ({ ...error, count: Number(count) })),
      }
    }),
    createdAccounts: inQuery(async (db, { organisation, importSupplier, run, after = '', limit }) => {
      const table = db.dialect.inOrderOf(tables.accountImports, 'account_imports_created')
      const rows = await db.page<{ number: string }>(
        `SELECT external_account_number AS number FROM ${table} WHERE ${ofSupplier} AND created_in_run = ?`,
        [organisation, importSupplier, run],
        { order: ['external_account_number'], after: [after], limit },
      )
      return rows.map(({ number }) => number)
    }),
    removeFailures: async ({ organisation, importSupplier, until, at, limit }) => {
      let removed = 0
      while (removed < limit) {
        const due = [organisation, importSupplier, instant.write(until)]
        const [run] = await query((db) => db.select<{ id: string }>(dueText, due))
        if (run === undefined) return removed
        const failures = await query((db) =>
          failuresOfRun(db, { run: run.id, after: undefined, limit: limit - removed }),
        )
        await query(async (db) => {
          if (failures.length === 0)
            return db
              .change(goneText, [instant.write(at), run.id, instant.write(until)])
              .then(() => undefined)
          await removeOpenOf(db, run.id, { organisation, importSupplier }, failures)
          await removePlaces(db, run.id, failures.map(placeOf))
        })
        removed += failures.length
      }
      return removed
    },
  })
}
