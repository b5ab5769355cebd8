import { randomUUID } from 'node:crypto'
import {
  type AccountKey,
  type ComparedData,
  largeAccountBytes,
  type StageOutcome,
  type Staging,
} from '@account-import/core'
import { accountFormat, isSameJson, refusalOf } from '@account-import/core/adapter-kit'
import type { Knex } from 'knex'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import type { StoredText } from '../drivers/knex-clients.js'
import { sha256 } from '../sql/crypto.js'
import { isAway, isNull, isTooLarge } from '../sql/failures.js'
import { failedAlone, inBatches } from '../sql/batches.js'
import {
  caseOf,
  compareKeys,
  filledUp,
  hasOneOfKeys,
  importKeyOf,
  importKeyValues,
  insertedSizes,
  instant,
  keyColumns,
  maxStatementBytes,
  ofImport,
  placeholders,
  tables,
} from '../sql/rows.js'
import type { Db, Session } from '../sql/session.js'
import { firstLines, withLine, withoutData } from './import-events.js'
import {
  accountImportOf,
  importColumns,
  keptPayload,
  type PayloadColumns,
  payloadOf,
  type ReadImportRow,
  byImport,
} from './import-rows.js'
import { ongoingText } from './registers.js'
import { warnedIn } from './stored-warnings.js'

/** A staging with the stored form and the hash of its payload. */
type KeptStaging = Staging & Readonly<{ kept: PayloadColumns; hash: string }>

type Value = StoredText | number | null

/** The audit events of a staging, as those of a new row. */
const linesOf = ({ at, by, hash: after, creation }: KeptStaging): string => {
  const staged = { at, what: 'staged', by, after } as const
  if (creation === undefined) return firstLines(staged)
  const { platformAccountNumber: subject } = creation
  const created = { at, what: 'created', by, subject, before: after, after: sha256(subject) } as const
  return firstLines(staged, [created])
}

/** The inserted columns, and their values in a staging. */
const stagedColumns: Readonly<Record<string, (staging: KeptStaging, stagingId: string) => Value>> = {
  organisation: ({ key }) => key.organisation,
  import_supplier: ({ key }) => key.importSupplier,
  external_account_number: ({ key }) => key.externalAccountNumber,
  first_staged_at: ({ at }) => instant.write(at),
  staged_at: ({ at }) => instant.write(at),
  staging_id: (_, stagingId) => stagingId,
  payload: ({ kept }) => kept.payload,
  payload_hash: ({ hash }) => hash,
  data_key: ({ kept }) => kept.data_key,
  validated_under: ({ validatedUnder, warnings }) =>
    warnings === undefined ? (validatedUnder ?? null) : null,
  warned: (staging, stagingId) => (staging.kept.data_key === null ? warnedIn(staging, stagingId) : null),
  import_run: ({ importRun }) => importRun ?? null,
  unsealed: (staging) => linesOf(staging),
  unsealed_since: ({ at }) => instant.write(at),
}

/** Further columns of stagings that create their accounts. */
const createdColumns: typeof stagedColumns = {
  platform_account_number: ({ creation }) => creation?.platformAccountNumber ?? null,
  operations_team: ({ creation }) => creation?.operationsTeam ?? null,
  account_created_at: ({ at }) => instant.write(at),
  created_in_run: ({ importRun }) => importRun ?? null,
}

/** The columns whose values are the same in all new rows. */
const constants = { staged_version: 1, skipped: 0, holds_slot: 0, additions: 0 }
const constantsOf = (creates: boolean) =>
  creates
    ? { ...constants, state: "'created'", attempts: 1, created_version: 1, created_format: accountFormat }
    : { ...constants, state: "'staged'", attempts: 0 }

type Assignment = readonly [column: string, value: string]

/**
 * Every assignment has the same condition, under which an import may be staged: no account, no mark, no live claim. MySQL assigns
 * from left to right: ending the claim leaves the condition true for the later assignments, and the account comes last.
 */
const assignmentsOf = (
  creates: boolean,
  incoming: (column: string) => string,
  reported: (expression: string) => string,
): readonly Assignment[] => {
  const old = (column: string): string => `${tables.accountImports}.${column}`
  const allowed =
    `${old('platform_account_number')} IS NULL AND ${old('skipped')} = 0 AND ` +
    `(${old('claim_token')} IS NULL OR ${old('claim_expires_at')} <= ${incoming('staged_at')})`
  const set = (column: string, value = incoming(column), otherwise = old(column)): Assignment => [
    column,
    `CASE WHEN ${allowed} THEN ${value} ELSE ${otherwise} END`,
  ]
  const version = old('staged_version')
  return [
    // These come first, because they contain hash and version before the change.
    set('unsealed', withLine(withoutData(incoming('unsealed')), old(''))),
    set('unsealed_since', `COALESCE(${old('unsealed_since')}, ${incoming('unsealed_since')})`),
    ...(creates ? [set('created_version', `${version} + 1`)] : []),
    set('staged_version', `${reported(`${version} + 2`)} - 1`, `${reported(`${version} + 2`)} - 2`),
    ...['payload', 'payload_hash', 'data_key', 'validated_under', 'warned', 'import_run'].map((column) =>
      set(column),
    ),
    set('first_staged_at', `COALESCE(${old('first_staged_at')}, ${incoming('staged_at')})`),
    ...['staged_at', 'staging_id', 'state'].map((column) => set(column)),
    set('holds_slot', '0'),
    set('claim_token', 'NULL'),
    set('claim_expires_at', 'NULL'),
    ...(creates
      ? [
          set('attempts', `${old('attempts')} + 1`),
          set('latest_failure_code', 'NULL'),
          set('latest_failure_at', 'NULL'),
          ...['created_format', 'operations_team', 'account_created_at', 'created_in_run'].map((column) =>
            set(column),
          ),
          set('platform_account_number'),
        ]
      : []),
  ]
}

/** NULL, which no row takes, unless the supplier is current. Bindings: those of `ongoingText`. */
const ifCurrent = `(SELECT 0 ${ongoingText})`

/**
 * An upsert of stagings, and the columns that it binds. `isChecked`: its first row, and so all, depends on the supplier. The first row
 * reports 1, and each existing row two more than its old version, so that 1 comes only where all rows are new.
 */
const upsertOf = (
  { orUpdate, upserts: { reported, returning } }: SqlDialect,
  creates: boolean,
  rows: number,
  isChecked: boolean,
) => {
  const bound = creates ? { ...stagedColumns, ...createdColumns } : stagedColumns
  const fixed = constantsOf(creates)
  const rowOf = (constants: Readonly<Record<string, string | number>>): string =>
    `(${[placeholders(Object.keys(bound).length), ...Object.values(constants)].join(', ')})`
  const reporting = { ...fixed, staged_version: reported('1') }
  const first = rowOf(isChecked ? { ...reporting, holds_slot: ifCurrent } : reporting)
  const sql =
    `INSERT INTO ${tables.accountImports} (${[...Object.keys(bound), ...Object.keys(fixed)].join(', ')}) ` +
    `VALUES ${[first, ...Array<string>(rows - 1).fill(rowOf(fixed))].join(', ')} ` +
    orUpdate(keyColumns, (incoming) => assignmentsOf(creates, incoming, reported)) +
    (returning === undefined ? '' : ` ${returning(importColumns)}`)
  return { sql, bound: Object.values(bound) }
}

/** Upserts are made once, because every staging needs one. */
const preparedUpserts = new Map<string, ReturnType<typeof upsertOf>>()

const upsert = (
  dialect: SqlDialect,
  ...given: readonly [creates: boolean, rows: number, isChecked: boolean]
): ReturnType<typeof upsertOf> => {
  const name = `${dialect.urls} ${given.join(' ')}`
  const made = preparedUpserts.get(name) ?? upsertOf(dialect, ...given)
  preparedUpserts.set(name, made)
  return made
}

const stagedAs = (version: number): StageOutcome => ({
  _tag: version === 1 ? 'created' : 'replaced',
  version,
})

/** The outcome in the row after the upsert: a row with this `stagingId` was staged by it. A refused row is locked, and unchanged. */
const outcomeIn = (row: ReadImportRow | undefined, { at }: Staging, stagingId: string): StageOutcome => {
  // MySQL matches an upsert with every unique key.
  if (row === undefined) throw new Error('another account has the platform account number')
  if (row.staging_id === stagingId) return stagedAs(row.staged_version)
  return refusalOf(accountImportOf(row), at) ?? { _tag: 'in_progress' }
}

/**
 * Decides all stagings, which are in the order of their keys, in one statement. New rows need no other read, nor does a lone staging that
 * is not refused; of several, the transaction keeps the rows from other changes until they are read. Where a router left out the report,
 * a lone staging that another has replaced since is answered as one beside it: `in_progress`.
 */
const write = async (
  db: Db,
  stagings: readonly [KeptStaging, ...KeptStaging[]],
  creates: boolean,
): Promise<readonly StageOutcome[]> => {
  const { returning, reportIn } = db.dialect.upserts
  const stagingId = randomUUID()
  const [{ key, supplierRevision }] = stagings
  const { sql, bound } = upsert(db.dialect, creates, stagings.length, supplierRevision !== undefined)
  const check = supplierRevision === undefined ? [] : [key.organisation, key.importSupplier, supplierRevision]
  const bindings = stagings.flatMap((staging, index) => [
    ...bound.map((valueOf) => valueOf(staging, stagingId)),
    ...(index === 0 ? check : []),
  ])
  const answer = await db.raw(sql, bindings as Knex.RawBinding[])
  const { value = 0, counted } = reportIn(answer) ?? {}
  const areAllNew = value === 1
  if (areAllNew) return stagings.map(() => stagedAs(1))
  const isReplaced = stagings.length === 1 && counted === 2
  if (isReplaced && value > 1) return [stagedAs(value - 1)]
  const { sql: condition, bindings: keys } = hasOneOfKeys(stagings.map(({ key }) => key))
  const rows =
    returning === undefined
      ? await db.select<ReadImportRow>(
          `SELECT ${importColumns} FROM ${tables.accountImports} WHERE ${condition}`,
          keys,
        )
      : (db.dialect.answers.rows(answer) as readonly ReadImportRow[])
  const found = new Map(rows.map((row) => [byImport.name({ key: importKeyOf(row) }), row]))
  return stagings.map((staging) => outcomeIn(found.get(byImport.name(staging)), staging, stagingId))
}

/** Connections prepare a statement for each number of rows: only a few numbers are used. */
const writeAll = async (
  db: Db,
  stagings: readonly KeptStaging[],
  creates: boolean,
): Promise<readonly StageOutcome[]> => {
  const size = insertedSizes.find((each) => each <= stagings.length)
  if (size === undefined) return []
  const decided = await write(db, stagings.slice(0, size) as [KeptStaging, ...KeptStaging[]], creates)
  return [...decided, ...(await writeAll(db, stagings.slice(size), creates))]
}

const isByRevision = ({ supplierRevision }: Staging): boolean => supplierRevision !== undefined

const hasCreation = ({ creation }: Staging): boolean => creation !== undefined

/** Stages accounts that all are created, or none of them. Texts are hashed and encrypted before the change begins. */
const stageBatch = async (
  session: Session,
  stagings: readonly Staging[],
): Promise<readonly StageOutcome[]> => {
  const batch = await Promise.all(
    stagings
      .toSorted((a, b) => compareKeys(a.key, b.key))
      .map(async (staging) => ({
        ...staging,
        kept: await keptPayload(session, staging.key, staging.payload),
        hash: sha256(staging.payload),
      })),
  )
  const change = batch.length === 1 ? session.query : session.transaction
  const decided = await change((db) => writeAll(db, batch, batch.some(hasCreation)))
  const outcomes = new Map(batch.map((staging, index) => [byImport.name(staging), decided[index]]))
  return stagings.map((staging) => outcomes.get(byImport.name(staging)) as StageOutcome)
}

/**
 * Stages each alone where all of them are larger than a statement may be. A part that fails alone is `failed`: the parts before it are
 * committed, so that a second attempt at all of them would refuse or repeat these.
 */
const stageInParts = async (
  session: Session,
  stagings: readonly Staging[],
): Promise<readonly StageOutcome[]> => {
  try {
    return await stageBatch(session, stagings)
  } catch (cause) {
    if (isNull(cause) && stagings.every(isByRevision)) return stagings.map(() => ({ _tag: 'not_current' }))
    if (!isTooLarge(cause)) throw cause
    if (stagings.length === 1)
      return [{ _tag: 'too_large', limitBytes: cause.limitBytes ?? maxStatementBytes }]
    const outcomes: StageOutcome[] = []
    for (const staging of stagings)
      try {
        outcomes.push(...(await stageInParts(session, [staging])))
      } catch (alone) {
        if (session.isUnitOfWork || isAway(alone)) throw alone
        outcomes.push(failedAlone('stage')(alone))
      }
    return outcomes
  }
}

type CreatedRow = Readonly<{
  external_account_number: string
  payload_hash: string | null
  payload: StoredText | null
  data_key: string | null
  is_large: 0 | 1
}>

/** Reads the payload only where its text differs from the compared one. A long one is read alone. */
const textFor = ({ bytesOf }: SqlDialect, count: number): string =>
  'SELECT external_account_number, payload_hash, data_key, ' +
  `CASE WHEN ${bytesOf('payload')} > ${largeAccountBytes} THEN 1 ELSE 0 END AS is_large, ` +
  `CASE WHEN ${bytesOf('payload')} <= ${largeAccountBytes} AND ` +
  `payload_hash <> ${caseOf('external_account_number', count)} THEN payload END AS payload ` +
  `FROM ${tables.accountImports} WHERE organisation = ? AND import_supplier = ? ` +
  `AND external_account_number IN (${placeholders(count)}) AND platform_account_number IS NOT NULL ` +
  'AND (erased_at IS NULL OR erased_at < account_created_at)'

type HashedData = ComparedData & Readonly<{ hash: string | null }>

const hashed = (data: ComparedData): HashedData => ({
  ...data,
  hash: data.payload === undefined ? null : sha256(data.payload),
})

const largeText = `SELECT payload, data_key FROM ${tables.accountImports} WHERE ${ofImport}`

/** The payload of a row, which is read by itself where it is large; undefined where it was removed. */
const comparedPayload = async (db: Db, key: AccountKey, row: CreatedRow): Promise<string | undefined> => {
  const [read] = row.is_large ? await db.select<CreatedRow>(largeText, importKeyValues(key)) : [row]
  const { payload = null, data_key = null } = read ?? {}
  return payload === null ? undefined : payloadOf(db.dataKeys, key, { payload, data_key })
}

/** Compares accounts of one supplier, by one statement and one for each large account. */
const compareBatch = async (
  db: Db,
  compared: readonly ComparedData[],
): Promise<readonly (boolean | undefined)[]> => {
  const all = compared.map(hashed)
  const list = filledUp(all)
  const numbers = list.map(({ key }) => key.externalAccountNumber)
  const rows = await db.select<CreatedRow>(textFor(db.dialect, list.length), [
    ...list.flatMap(({ key, hash }) => [key.externalAccountNumber, hash]),
    ...importKeyValues((list as readonly [HashedData])[0].key).slice(0, 2),
    ...numbers,
  ])
  const found = new Map(rows.map((row) => [row.external_account_number, row]))
  const outcomes: (boolean | undefined)[] = []
  for (const { key, payload: sent, hash } of all) {
    const row = found.get(key.externalAccountNumber)
    if (row === undefined) outcomes.push(undefined)
    // An import with an account is never staged again, so its data is that of the account.
    else if (sent === undefined || row.payload_hash === hash) outcomes.push(true)
    else {
      const payload = await comparedPayload(db, key, row)
      outcomes.push(payload !== undefined && isSameJson(sent, payload))
    }
  }
  return outcomes
}

/**
 * Joins stagings, and comparisons, that wait at the same time. `parallel`: most batches of stagings at one time; the number of
 * the dialect when absent.
 */
export const sqlStaging = (session: Session, parallel?: number) => ({
  stage: inBatches<Staging, StageOutcome>(
    session,
    (stagings, given) => stageInParts(given, stagings),
    {
      work: 'stage',
      owner: byImport.owner,
      group: (staging) =>
        JSON.stringify([hasCreation(staging), staging.supplierRevision, byImport.group(staging)]),
      name: byImport.name,
      most: insertedSizes[0],
      bytes: { most: maxStatementBytes, of: ({ payload }) => payload.length + 512 },
      sizes: insertedSizes,
      parallel,
    },
    failedAlone('stage'),
  ),
  sameData: inBatches<ComparedData, boolean | undefined>(
    session,
    (compared, { query }) => query((db) => compareBatch(db, compared)),
    {
      work: 'read',
      ...byImport,
      most: 16,
      bytes: { most: maxStatementBytes, of: ({ payload = '' }) => payload.length },
    },
  ),
})
