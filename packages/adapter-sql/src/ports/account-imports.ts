import {
  type AccountImportList,
  type AccountImports,
  type AccountKey,
  type Actor,
  type Instant,
  type StagedData,
  storedPageBytes,
  storedPageOf,
  type UnreadableData,
} from '@account-import/core'
import { accountKeyText, type CountedImports, refusalOf, summaryOf } from '@account-import/core/adapter-kit'
import { perDialect } from '../dialects/dialects.js'
import { LostRace, sqlPort } from '../sql/failures.js'
import { failedAlone, inBatches, listsInBatches, mostKeys } from '../sql/batches.js'
import {
  hasOneOfKeys,
  importKeyOf,
  type ImportKeyRow,
  importKeyRow,
  importKeyValues,
  instant,
  keyColumns,
  merged,
  ofImport,
  ofSupplier,
  optionalInstant,
  type Row,
  tables,
} from '../sql/rows.js'
import type { Db, Length, Session } from '../sql/session.js'
import { sqlClaims } from './claims.js'
import { sqlCreations } from './creations.js'
import { sqlFoundImports } from './found-imports.js'
import { firstLines, type ImportEvent } from './import-events.js'
import {
  accountImportOf,
  type LockedImport,
  lockImports,
  type PayloadColumns,
  payloadOf,
  updateImports,
} from './import-rows.js'
import { sqlStaging } from './staging.js'

type ItemRow = Readonly<{
  external_account_number: string
  platform_account_number: string | null
  account_created_at: string | null
}>

/** The conditions of each list. The index contains the imports of a state together, in the order of lists. */
const lists: Readonly<Record<AccountImportList, readonly string[]>> = {
  all: ["state = 'staged'", "state = 'created'", "state = 'skipped' AND first_staged_at IS NOT NULL"],
  pending: ["state = 'staged'"],
  imported: ["state = 'created'"],
}

type Group = Readonly<{
  state: Exclude<CountedImports['state'], 'in_progress'>
  latest_failure_code: string | null
  imports: number
  /** Those under a live claim; only staged imports have one. */
  claimed: number
}>

/**
 * One pass over an index that contains all columns, in the order of the groups. Created imports, in the end nearly all, have no
 * failure and no claim: a separate count of them saves a third of the time.
 */
const text = perDialect((dialect) => {
  const imports = dialect.foundBy(tables.accountImports, 'account_imports_summary')
  return (
    "SELECT 'created' AS state, NULL AS latest_failure_code, COUNT(*) AS imports, 0 AS claimed " +
    `FROM ${imports} WHERE ${ofSupplier} AND state = 'created' ` +
    'UNION ALL SELECT state, latest_failure_code, COUNT(*), COUNT(CASE WHEN claim_expires_at > ? THEN 1 END) ' +
    `FROM ${imports} WHERE ${ofSupplier} AND state IN ('staged', 'skipped') GROUP BY state, latest_failure_code`
  )
})

type StagedRow = ImportKeyRow &
  Length &
  Readonly<{ version: number; payload: PayloadColumns['payload'] | null; data_key: string | null }>

/** The texts that callers read together: of one call they are 2 MiB at most. */
const mostBytesTogether = storedPageBytes / mostKeys

/** The rows of staged data, of long texts without the text. */
const stagedRows = async (
  db: Db,
  keys: readonly AccountKey[],
): Promise<readonly (StagedRow | undefined)[]> => {
  const { sql, bindings } = hasOneOfKeys(keys)
  const bytes = db.dialect.bytesOf('payload')
  const rows = await db.select<StagedRow>(
    `SELECT ${keyColumns.join(', ')}, staged_version AS version, data_key, ${bytes} AS bytes, ` +
      `CASE WHEN ${bytes} <= ${mostBytesTogether} THEN payload END AS payload ` +
      `FROM ${tables.accountImports} WHERE (${sql}) AND payload IS NOT NULL`,
    bindings,
  )
  const found = new Map(rows.map((row) => [accountKeyText(importKeyOf(row)), row]))
  return keys.map((key) => found.get(accountKeyText(key)))
}

/** A long text, with its version; undefined if it was removed meanwhile. */
const longText = async (db: Db, key: AccountKey): Promise<StagedRow | undefined> => {
  const [row] = await db.select<StagedRow>(
    `SELECT ${keyColumns.join(', ')}, staged_version AS version, data_key, payload ` +
      `FROM ${tables.accountImports} WHERE ${ofImport} AND payload IS NOT NULL`,
    importKeyValues(key),
  )
  return row
}

/**
 * The port's `staged`. Callers share the statement that reads short texts; long ones are read one by one, two at one time for all
 * callers: a caller judges a text before it reads the next.
 */
const sqlStaged = (
  session: Session,
): ((keys: readonly AccountKey[]) => Promise<readonly (StagedData | UnreadableData | undefined)[]>) => {
  const { dataKeys, query } = session
  const readRows = listsInBatches(
    session,
    ({ organisation }: AccountKey) => organisation,
    accountKeyText,
    (keys) => query((db) => stagedRows(db, keys)),
  )
  const readLong = inBatches<AccountKey, StagedRow | undefined>(
    session,
    ([key], { query: queryOne }) => queryOne(async (db) => [key && (await longText(db, key))]),
    { work: 'read', owner: ({ organisation }) => organisation, most: 1, parallel: 2 },
  )
  const read = async (
    row: StagedRow,
    causes: unknown[],
  ): Promise<StagedData | UnreadableData | undefined> => {
    const key = importKeyOf(row)
    try {
      const [whole] = row.payload === null ? await readLong([key]) : [row]
      if (whole?.payload == null) return undefined
      const { version, payload, data_key } = whole
      return { version, payload: await payloadOf(dataKeys, key, { payload, data_key }) }
    } catch (cause) {
      causes.push(cause)
      return { failure: failedAlone('staged')(cause).failure }
    }
  }
  return async (keys) => {
    const rows = await readRows(keys)
    const { items } = storedPageOf(rows, rows.length, (row) => Number(row?.bytes ?? 0))
    const causes: unknown[] = []
    const data: (StagedData | UnreadableData | undefined)[] = []
    for (const row of items) data.push(row && (await read(row, causes)))
    if (causes.length > 0 && causes.length === items.filter((row) => row !== undefined).length)
      throw causes[0]
    return data
  }
}

/** The mark that is to be set or removed, when, and by whom. */
type SkipRequest = Readonly<{
  key: AccountKey
  skipped: boolean
  at: Instant
  by: Actor | undefined
}>

type SkipOutcome = 'changed' | 'unchanged' | 'already_imported' | 'in_progress'

/** The row of an account that is only marked: all other columns are NULL. */
const skippedRow = (key: AccountKey, event: ImportEvent): Row => ({
  ...importKeyRow(key),
  staged_version: 0,
  state: 'skipped',
  skipped: 1,
  holds_slot: 0,
  attempts: 0,
  additions: 0,
  unsealed: firstLines(event),
  unsealed_since: instant.write(event.at),
})

/** Whether the mark may be changed. An expired claim is no obstacle: its owner can create nothing. */
const decideSkip = (row: LockedImport | undefined, { skipped, at }: SkipRequest): SkipOutcome => {
  const refusal = row && refusalOf(accountImportOf(row), at)
  if (refusal !== undefined && refusal._tag !== 'marked_to_skip') return refusal._tag
  return Boolean(row?.skipped) === skipped ? 'unchanged' : 'changed'
}

/** MySQL assigns from left to right: `state` depends only on bindings, and on `staged_version`, which is not assigned. */
const marked =
  "skipped = ?, state = CASE WHEN ? = 1 THEN 'skipped' WHEN staged_version > 0 THEN 'staged' ELSE 'none' END, " +
  'claim_token = NULL, claim_expires_at = NULL, holds_slot = 0'

const setSkipped = async (db: Db, request: SkipRequest): Promise<SkipOutcome> => {
  const { key, skipped, at, by } = request
  const row = (await lockImports(db, [key]))(key)
  const outcome = decideSkip(row, request)
  if (outcome !== 'changed') return outcome
  const mark = Number(skipped)
  const event = { at, what: skipped ? 'skipped' : 'unskipped', by } as const
  if (row !== undefined)
    await updateImports(db, [request], { event: () => event, set: marked, values: [mark, mark] })
  else if (!(await db.insertNew(tables.accountImports, [skippedRow(key, event)]))) throw new LostRace()
  return 'changed'
}

/** `parallelStagings`: most batches of stagings at one time; the number of the dialect when absent. */
export const sqlAccountImports = (session: Session, parallelStagings?: number): AccountImports => {
  const { dialect, inQuery, inTransaction } = session
  return sqlPort<AccountImports>('accountImports', {
    ...sqlStaging(session, parallelStagings),
    ...sqlClaims(session),
    ...sqlCreations(session),
    ...sqlFoundImports(session),
    staged: sqlStaged(session),
    // A keyset page. The index contains all columns, so that no payload is read.
    page: inQuery(async (db, { organisation, importSupplier, list, after = '', limit }) => {
      const end = `ORDER BY external_account_number LIMIT ${Math.trunc(limit)}`
      const ranges = lists[list].map(
        (holds) =>
          'SELECT external_account_number, platform_account_number, account_created_at ' +
          `FROM ${dialect.foundBy(tables.accountImports, 'account_imports_pages')} ` +
          `WHERE ${ofSupplier} AND ${holds} AND external_account_number > ? ${end}`,
      )
      const bindings = ranges.flatMap(() => [organisation, importSupplier, after])
      const rows = await db.select<ItemRow>(merged(dialect, ranges, end), bindings)
      return rows.map((row) => ({
        externalAccountNumber: row.external_account_number,
        platformAccountNumber: row.platform_account_number ?? undefined,
        accountCreatedAt: optionalInstant.read(row.account_created_at),
      }))
    }),
    stagedPayloads: inQuery(async (db, { organisation, importSupplier, ...place }) => {
      const { items, isLast } = await db.storedPage<ImportKeyRow & PayloadColumns>(
        {
          columns: `${keyColumns.join(', ')}, payload, data_key`,
          from: `FROM ${dialect.foundBy(tables.accountImports, 'account_imports_pages')} WHERE ${ofSupplier} AND state = 'staged'`,
          bytes: dialect.bytesOf('payload'),
        },
        [organisation, importSupplier],
        place,
      )
      return {
        isLast,
        items: await Promise.all(
          items.map(async (row) => ({
            externalAccountNumber: row.external_account_number,
            payload: await payloadOf(db.dataKeys, importKeyOf(row), row),
          })),
        ),
      }
    }),
    stagedPage: inQuery(async (db, { organisation, importSupplier, until, after, limit }) => {
      type StagedItemRow = Readonly<{ external_account_number: string; first_staged_at: string }>
      const table = dialect.foundBy(tables.accountImports, 'account_imports_staged')
      const rows = await db.page<StagedItemRow>(
        `SELECT external_account_number, first_staged_at FROM ${table} ` +
          `WHERE ${ofSupplier} AND state = 'staged' AND first_staged_at <= ?`,
        [organisation, importSupplier, instant.write(until)],
        {
          order: ['first_staged_at', 'external_account_number'],
          after: after && [instant.write(after.firstStagedAt), after.externalAccountNumber],
          limit,
        },
      )
      return rows.map((row) => ({
        externalAccountNumber: row.external_account_number,
        firstStagedAt: instant.read(row.first_staged_at),
      }))
    }),
    // The imports of a supplier, counted by one statement.
    summary: inQuery(async (db, organisation, importSupplier, at) => {
      const supplier = [organisation, importSupplier]
      const groups = await db.select<Group>(text(dialect), [...supplier, instant.write(at), ...supplier])
      return summaryOf(
        groups.flatMap(({ state, latest_failure_code, imports, claimed }): readonly CountedImports[] => {
          const failure = latest_failure_code ?? undefined
          return [
            { state, failure, count: imports - claimed },
            { state: 'in_progress', failure, count: claimed },
          ]
        }),
      )
    }),
    setSkipped: inTransaction((db, key, skipped, at, by) => setSkipped(db, { key, skipped, at, by })),
  })
}
