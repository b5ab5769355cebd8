import type {
  FailurePlace,
  ImportRuns,
  RecordRequest,
  RunError,
  RunFailure,
  RunOutcome,
  RunStep,
} from '@account-import/core'
import { placeOf } from '@account-import/core/adapter-kit'
import { LostRace } from '../sql/failures.js'
import { filledUp, instant, type NewRow, tables } from '../sql/rows.js'
import type { Db } from '../sql/session.js'

export type FailureRow = Readonly<
  Record<'import_run' | 'external_account_number' | 'refusal' | 'code' | 'field' | 'failed_at', string> &
    Record<'line' | 'ordinal' | 'times', number> & { step: RunStep; attr: string | null }
>

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
    failed_at: instant.write(at),
  }
  if (failure.findings.length === 0)
    return [{ ...shared, ordinal: 0, code: failure.code, field: '', attr: undefined, times: 1 }]
  return failure.findings.map((finding, ordinal) => ({ ...shared, ordinal, ...finding }))
}

/** Each place repeats the run: SQLite scans the whole run where the condition names it once, before the places. */
const ofPlace = '(import_run = ? AND step = ? AND line = ? AND external_account_number = ?)'

/** Most places in one statement. */
const mostPlaces = 64

/** Removes the failures of these places, which are of one step. */
export const removePlaces = async (db: Db, run: string, places: readonly FailurePlace[]): Promise<void> => {
  for (let from = 0; from < places.length; from += mostPlaces) {
    const list = filledUp(places.slice(from, from + mostPlaces))
    await db.change(
      `DELETE FROM ${tables.importRunFailures} WHERE ${list.map(() => ofPlace).join(' OR ')}`,
      list.flatMap(({ step, line, externalAccountNumber }) => [run, step, line, externalAccountNumber]),
    )
  }
}

/** Stores refused accounts, and removes the failures of accepted ones. Needs a transaction. */
export const recordOutcomes = async (db: Db, request: RecordRequest): Promise<void> => {
  const { run, step, outcomes } = request
  await removePlaces(
    db,
    run,
    outcomes.map((outcome) => placeOf({ step, ...outcome })),
  )
  const rows = outcomes.flatMap((outcome) => rowsOfFailure(request, outcome))
  // The same request may be repeated while its first try goes on.
  if (rows.length > 0 && !(await db.insertNew(tables.importRunFailures, rows))) throw new LostRace()
}

/** Most rows of a failure, which is the limit of its findings. */
const mostRows = 20

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
    failedAt: instant.read(first.failed_at),
  }
}

export const failuresIn = (rows: readonly FailureRow[]): readonly RunFailure[] => {
  const found: [FailureRow, ...FailureRow[]][] = []
  for (const row of rows) {
    if (Number(row.ordinal) === 0) found.push([row])
    else found.at(-1)?.push(row)
  }
  return found.map(failureOf)
}

type FailuresRequest = Omit<Parameters<ImportRuns['failures']>[0], 'error'>

/** Most rows that one statement reads. */
const rowsAtOnce = 1000

/** Reads two rows for each requested failure, as most have one or two, and continues where that was not enough. */
export const failuresOfRun = async (
  db: Db,
  { run, after, limit }: FailuresRequest,
): Promise<readonly RunFailure[]> => {
  // The last failure of a read may lack rows; no failure has as many rows as a read.
  const rows = Math.min(rowsAtOnce, 2 * Math.max(Math.trunc(limit), mostRows))
  const table = db.dialect.inOrderOf(tables.importRunFailures, 'PRIMARY')
  const found: RunFailure[] = []
  for (;;) {
    const last = found.at(-1)
    const place = last === undefined ? after : placeOf(last)
    const read = await db.page<FailureRow>(`SELECT * FROM ${table} WHERE import_run = ?`, [run], {
      order: ['step', 'line', 'external_account_number', 'ordinal'],
      after: place && [place.step, place.line, place.externalAccountNumber],
      limit: rows,
    })
    const failures = failuresIn(read)
    const isEnd = read.length < rows
    found.push(...(isEnd ? failures : failures.slice(0, -1)))
    if (isEnd || found.length >= limit) return found.slice(0, limit)
  }
}

const nameOf = ({
  run,
  step,
  line,
  externalAccountNumber,
}: FailurePlace & Readonly<{ run: string }>): string => `${run} ${step} ${line} ${externalAccountNumber}`

/** The failures at places of any runs. The answer finds the one of a place by its index. */
export const failuresAt = async (
  db: Db,
  places: readonly (FailurePlace & Readonly<{ run: string }>)[],
): Promise<(index: number) => RunFailure | undefined> => {
  const found = new Map<string, RunFailure>()
  for (let from = 0; from < places.length; from += mostPlaces) {
    const list = filledUp(places.slice(from, from + mostPlaces))
    const rows = await db.select<FailureRow>(
      `SELECT * FROM ${tables.importRunFailures} WHERE ${list.map(() => ofPlace).join(' OR ')} ` +
        'ORDER BY import_run, step, line, external_account_number, ordinal',
      list.flatMap(({ run, step, line, externalAccountNumber }) => [run, step, line, externalAccountNumber]),
    )
    const runs = rows.filter(({ ordinal }) => Number(ordinal) === 0).map((row) => row.import_run)
    for (const [index, failure] of failuresIn(rows).entries())
      found.set(nameOf({ run: runs[index] ?? '', ...placeOf(failure) }), failure)
  }
  return (index) => {
    const place = places[index]
    return place && found.get(nameOf({ ...place, line: Number(place.line) }))
  }
}

type PlaceRow = Pick<FailureRow, 'line' | 'external_account_number' | 'ordinal' | 'code' | 'field'>

/** The places of the next failures with the error. Reads all failures of its step, page by page: the next may be far. */
const placesWith = async (
  db: Db,
  { step, code, field }: RunError,
  { run, after, limit }: FailuresRequest,
): Promise<readonly PlaceRow[]> => {
  const table = db.dialect.inOrderOf(tables.importRunFailures, 'PRIMARY')
  const places: PlaceRow[] = []
  let place: readonly (string | number)[] | undefined = after && [after.line, after.externalAccountNumber]
  for (;;) {
    const rows: readonly PlaceRow[] = await db.page<PlaceRow>(
      `SELECT line, external_account_number, ordinal, code, field FROM ${table} WHERE import_run = ? AND step = ?`,
      [run, step],
      { order: ['line', 'external_account_number', 'ordinal'], after: place, limit: rowsAtOnce },
    )
    places.push(...rows.filter((row) => row.code === code && row.field === field))
    const last = rows.at(-1)
    if (last === undefined || rows.length < rowsAtOnce || places.length >= limit)
      return places.slice(0, limit)
    place = [last.line, last.external_account_number, last.ordinal]
  }
}

/** Reads only the failures at the places with the error. A failure has each error in one row. */
export const failuresWith = async (
  db: Db,
  error: RunError,
  request: FailuresRequest,
): Promise<readonly RunFailure[]> => {
  const { step } = error
  const { run } = request
  const places = await placesWith(db, error, request)
  const failureAt = await failuresAt(
    db,
    places.map(({ line, external_account_number: externalAccountNumber }) => ({
      run,
      step,
      line,
      externalAccountNumber,
    })),
  )
  return places.flatMap((_, index) => failureAt(index) ?? [])
}
