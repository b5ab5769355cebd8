import type {
  AccountKey,
  ImportRun,
  ImportRuns,
  OpenFailure,
  OpenPlace,
  RecordRequest,
  RunFailure,
  RunStep,
  SupplierOfRuns,
} from '@account-import/core'
import {
  accountKeyText,
  compareCodePoints,
  dismissalOf,
  isStillOpen,
  openPlaceOf,
  placeOf,
  type Reached,
} from '@account-import/core/adapter-kit'
import { LostRace } from '../sql/failures.js'
import {
  filledUp,
  hasOneOfKeys,
  importKeyOf,
  importKeyRow,
  type ImportKeyRow,
  instant,
  keyColumns,
  merged,
  ofSupplier,
  tables,
} from '../sql/rows.js'
import type { Db } from '../sql/session.js'
import { insertEvents } from './audit-events.js'
import { failuresAt } from './run-failures.js'

type OpenRow = ImportKeyRow &
  Readonly<{
    unread_line: string
    import_run: string
    step: RunStep
    line: number
    code: string
    failed_at: string
    staged_version: number
    is_created: 0 | 1
  }>

const keyIn = (
  { organisation, importSupplier }: SupplierOfRuns,
  { externalAccountNumber }: Pick<OpenPlace, 'externalAccountNumber'>,
): AccountKey => ({ organisation, importSupplier, externalAccountNumber })

type ReachedRow = ImportKeyRow & Readonly<{ staged_version: number; is_created: 0 | 1 }>

const reachedIn = (row: Pick<ReachedRow, 'staged_version' | 'is_created'>): Reached => ({
  stagedVersion: row.staged_version,
  isCreated: Boolean(row.is_created),
})

/** The state that the imports have reached. */
const reachedOf = async (db: Db, keys: readonly AccountKey[]): Promise<(key: AccountKey) => Reached> => {
  if (keys.length === 0) return () => ({ stagedVersion: 0, isCreated: false })
  const { sql, bindings } = hasOneOfKeys(keys)
  const rows = await db.select<ReachedRow>(
    `SELECT ${keyColumns.join(', ')}, staged_version, ` +
      `CASE WHEN platform_account_number IS NULL THEN 0 ELSE 1 END AS is_created FROM ${tables.accountImports} WHERE ${sql}`,
    bindings,
  )
  const found = new Map(rows.map((row) => [accountKeyText(importKeyOf(row)), reachedIn(row)]))
  return (key) => found.get(accountKeyText(key)) ?? { stagedVersion: 0, isCreated: false }
}

/** Those of the rows whose failure is open. */
const stillOpen = async (db: Db, rows: readonly OpenRow[]): Promise<readonly OpenRow[]> => {
  const reached = await reachedOf(db, rows.map(importKeyOf))
  return rows.filter((row) => isStillOpen(reachedIn(row), reached(importKeyOf(row))))
}

/** Most places in one statement. */
const mostPlaces = 64

/** Works on groups of places: `of` is the condition of their rows. */
const eachPlaces = async (
  supplier: SupplierOfRuns,
  places: readonly OpenPlace[],
  work: (of: string, bindings: readonly string[]) => Promise<void>,
): Promise<void> => {
  for (let from = 0; from < places.length; from += mostPlaces) {
    const list = filledUp(places.slice(from, from + mostPlaces))
    const of = list.map(() => `(${ofSupplier} AND external_account_number = ? AND unread_line = ?)`)
    await work(
      `(${of.join(' OR ')})`,
      list.flatMap(({ externalAccountNumber, line }) => [
        supplier.organisation,
        supplier.importSupplier,
        externalAccountNumber,
        line,
      ]),
    )
  }
}

/** Removes the rows of these places that also meet the condition. */
const remove = (
  db: Db,
  supplier: SupplierOfRuns,
  places: readonly OpenPlace[],
  condition = '',
  values: readonly string[] = [],
): Promise<void> =>
  eachPlaces(supplier, places, async (of, bindings) => {
    await db.change(`DELETE FROM ${tables.openFailures} WHERE ${of} ${condition}`, [...bindings, ...values])
  })

/** Removes the open failures of a run that its retention removes. */
export const removeOpenOf = (
  db: Db,
  run: string,
  supplier: SupplierOfRuns,
  failures: readonly RunFailure[],
): Promise<void> =>
  remove(
    db,
    supplier,
    failures.map((failure) => openPlaceOf(run, failure)),
    'AND import_run = ?',
    [run],
  )

/** Makes the failures of the outcomes open, and ends those of accepted accounts. Needs a transaction. */
export const recordOpen = async (
  db: Db,
  { run, step, at, begunAt = at, outcomes }: RecordRequest,
): Promise<void> => {
  const [owner] = await db.select<Omit<ImportKeyRow, 'external_account_number'>>(
    `SELECT organisation, import_supplier FROM ${tables.importRuns} WHERE id = ?`,
    [run],
  )
  if (owner === undefined) return
  const supplier = { organisation: owner.organisation, importSupplier: owner.import_supplier }
  const refused = outcomes.filter(({ failure }) => failure !== undefined)
  const accepted = outcomes.filter(({ failure }) => failure === undefined)
  const placesOf = (list: typeof outcomes) => list.map((outcome) => openPlaceOf(run, outcome))
  const ofStep = step === 'process' ? "AND step = 'process' " : ''
  await remove(db, supplier, placesOf(accepted), `${ofStep}AND failed_at <= ?`, [instant.write(begunAt)])
  // A number may be refused in several lines: the last one counts.
  const latest = new Map(
    refused.map((outcome) => [Object.values(openPlaceOf(run, outcome)).join(' '), outcome]),
  )
  if (latest.size === 0) return
  const last = [...latest.values()]
  await remove(db, supplier, placesOf(last))
  const reached = await reachedOf(
    db,
    placesOf(last).map((place) => keyIn(supplier, place)),
  )
  const rows = last.map((outcome) => {
    const place = openPlaceOf(run, outcome)
    const key = keyIn(supplier, place)
    const { stagedVersion, isCreated } = reached(key)
    return {
      ...importKeyRow(key),
      unread_line: place.line,
      import_run: run,
      step,
      line: outcome.line ?? 0,
      code: outcome.failure?.code,
      failed_at: instant.write(at),
      staged_version: stagedVersion,
      is_created: Number(isCreated),
    }
  })
  // In one order, so that requests that refuse the same numbers do not deadlock.
  rows.sort(
    (a, b) =>
      compareCodePoints(a.external_account_number, b.external_account_number) ||
      compareCodePoints(a.unread_line, b.unread_line),
  )
  // Another run may refuse the same numbers at this moment.
  if (!(await db.insertNew(tables.openFailures, rows))) throw new LostRace()
}

/** Most rows that one statement reads. */
const rowsAtOnce = 1000

type OpenRequest = Parameters<ImportRuns['openFailures']>[0]

const failureIn = (row: OpenRow): Omit<OpenFailure, 'findings'> => ({
  importRun: row.import_run,
  step: row.step,
  line: Number(row.line) === 0 ? undefined : Number(row.line),
  externalAccountNumber: row.external_account_number || undefined,
  code: row.code,
  failedAt: instant.read(row.failed_at),
})

export const openFailuresOf = async (
  db: Db,
  { organisation, importSupplier, after, limit }: OpenRequest,
): Promise<readonly OpenFailure[]> => {
  const table = db.dialect.inOrderOf(tables.openFailures, 'PRIMARY')
  const found: OpenRow[] = []
  let place = after && [after.externalAccountNumber, after.line]
  for (;;) {
    const rows: readonly OpenRow[] = await db.page<OpenRow>(
      `SELECT * FROM ${table} WHERE ${ofSupplier}`,
      [organisation, importSupplier],
      { order: ['external_account_number', 'unread_line'], after: place, limit: rowsAtOnce },
    )
    found.push(...(await stillOpen(db, rows)))
    const last = rows.at(-1)
    if (last === undefined || rows.length < rowsAtOnce || found.length >= limit) break
    place = [last.external_account_number, last.unread_line]
  }
  const open = found.slice(0, limit).map(failureIn)
  const findingsAt = await failuresAt(
    db,
    open.map((failure) => ({ run: failure.importRun, ...placeOf(failure) })),
  )
  return open.map((failure, index) => ({ ...failure, findings: findingsAt(index)?.findings ?? [] }))
}

/** The SQL form of `isStillOpen`. */
const countText =
  `SELECT f.step AS step, COUNT(*) AS failures FROM ${tables.openFailures} f ` +
  `LEFT JOIN ${tables.accountImports} i ON ${keyColumns.map((column) => `i.${column} = f.${column}`).join(' AND ')} ` +
  'WHERE f.organisation = ? AND f.import_supplier = ? AND COALESCE(i.staged_version, 0) = f.staged_version ' +
  'AND (f.is_created = 1 OR i.platform_account_number IS NULL) GROUP BY f.step'

export const openCounts = async (
  db: Db,
  { organisation, importSupplier }: SupplierOfRuns,
): Promise<Readonly<Record<RunStep, number>>> => {
  const rows = await db.select<Readonly<{ step: RunStep; failures: number }>>(countText, [
    organisation,
    importSupplier,
  ])
  const countOf = (step: RunStep) => Number(rows.find((row) => row.step === step)?.failures ?? 0)
  return { stage: countOf('stage'), process: countOf('process') }
}

/** Whether a run has a failure, or a number an open one. */
export const hasFailures = async (db: Db, run: ImportRun, numbers: readonly string[]): Promise<boolean> => {
  const { sql, bindings } = hasOneOfKeys(
    ['', ...numbers].map((externalAccountNumber) => keyIn(run, { externalAccountNumber })),
  )
  const texts = [
    `SELECT 1 AS found FROM ${tables.importRunFailures} WHERE import_run = ? LIMIT 1`,
    `SELECT 1 AS found FROM ${tables.openFailures} WHERE (${sql}) AND unread_line = '' LIMIT 1`,
  ]
  return (await db.select(merged(db.dialect, texts, ''), [run.id, ...bindings])).length > 0
}

/** Needs a transaction. */
export const dismissOpen = async (
  db: Db,
  { places, ...dismissal }: Parameters<ImportRuns['dismissFailures']>[0],
): Promise<number> => {
  let dismissed = 0
  await eachPlaces(dismissal, places, async (of, bindings) => {
    const rows = await db.select<OpenRow>(
      `SELECT * FROM ${tables.openFailures} WHERE ${of} ${db.dialect.forUpdate}`,
      bindings,
    )
    const open = await stillOpen(db, rows)
    await db.change(`DELETE FROM ${tables.openFailures} WHERE ${of}`, bindings)
    await insertEvents(
      db,
      open.map((row) =>
        dismissalOf(
          dismissal,
          { externalAccountNumber: row.external_account_number, line: row.unread_line },
          dismissal,
        ),
      ),
    )
    dismissed += open.length
  })
  return dismissed
}
