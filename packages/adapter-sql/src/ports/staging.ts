import { randomUUID } from 'node:crypto'
import { type ComparedData, portFailure, type StageOutcome, type Staging } from '@account-import/core'
import {
  accountKeyText,
  areOfOneSupplier,
  isSameJson,
  refusalOf,
  nextOfGroup,
} from '@account-import/core/adapter-kit'
import { perDialect } from '../dialects/dialects.js'
import { sha256 } from '../sql/crypto.js'
import { failureKind, isTooLarge } from '../sql/failures.js'
import {
  caseOf,
  compareKeys,
  filledUp,
  hasOneOfKeys,
  importKeyOf,
  importKeyValues,
  instant,
  keyColumns,
  maxStatementBytes,
  placeholders,
  tables,
} from '../sql/rows.js'
import { batched, type Db, type Session } from '../sql/session.js'
import {
  accountImportOf,
  beginOfFirstLine,
  endOfLine,
  importColumns,
  keptPayload,
  type PayloadColumns,
  payloadOf,
  type ReadImportRow,
  withLine,
} from './import-rows.js'
import { fromSupplier } from './registers.js'

/** The bindings of `fromSupplier`; undefined for a staging that depends on no revision. */
const supplierBindings = ({ key, supplierRevision }: Staging): readonly string[] | undefined =>
  supplierRevision === undefined ? undefined : [key.importSupplier, key.organisation, supplierRevision]

const hasRevision = async (db: Db, staging: Staging | undefined): Promise<boolean> => {
  const bindings = staging && supplierBindings(staging)
  return bindings === undefined || (await db.select(`SELECT code ${fromSupplier}`, bindings)).length > 0
}

const columns =
  'organisation, import_supplier, external_account_number, first_staged_at, staged_at, staging_id, payload, ' +
  'payload_hash, data_key, import_run, unsealed, unsealed_since, staged_version, state, skipped, holds_slot, attempts'

/**
 * Every assignment has the same condition, under which an import may be staged: no account, no mark, no live claim. Ending the
 * claim leaves the condition true for the later assignments.
 */
const whenAllowed = perDialect(({ orUpdate, upserts: { reported, returning } }) => {
  const end = orUpdate(keyColumns, (incoming) => {
    const allowed =
      `platform_account_number IS NULL AND skipped = 0 AND ` +
      `(claim_token IS NULL OR claim_expires_at <= ${incoming('staged_at')})`
    const old = (column: string): string => `${tables.accountImports}.${column}`
    const set = (column: string, value: string, otherwise = old(column)): readonly [string, string] => [
      column,
      `CASE WHEN ${allowed} THEN ${value} ELSE ${otherwise} END`,
    ]
    const version = old('staged_version')
    const line = `SUBSTR(${incoming('unsealed')}, ${beginOfFirstLine.length + 1})`
    return [
      // It comes first, because it contains version and hash before the change.
      set('unsealed', withLine(line)),
      set('unsealed_since', `COALESCE(${old('unsealed_since')}, ${incoming('unsealed_since')})`),
      set('payload_hash', incoming('payload_hash')),
      set('staged_version', reported(`${version} + 1`), `${version} * ${reported('1')}`),
      set('payload', incoming('payload')),
      set('data_key', incoming('data_key')),
      set('import_run', incoming('import_run')),
      set('first_staged_at', `COALESCE(${old('first_staged_at')}, ${incoming('staged_at')})`),
      set('staged_at', incoming('staged_at')),
      set('staging_id', incoming('staging_id')),
      set('state', incoming('state')),
      set('holds_slot', '0'),
      set('claim_token', 'NULL'),
      set('claim_expires_at', 'NULL'),
    ]
  })
  return `${end} ${returning?.(importColumns) ?? ''}`
})

/** A staging, and the stored form of its payload. */
type KeptStaging = Staging & Readonly<{ kept: PayloadColumns }>

type Bindings = readonly (string | null)[]

const bindingsOf = ({ key, payload, kept, at, by, importRun }: KeptStaging, stagingId: string): Bindings => {
  const now = instant.write(at)
  const after = sha256(payload)
  return [
    key.organisation,
    key.importSupplier,
    key.externalAccountNumber,
    now,
    now,
    stagingId,
    kept.payload,
    after,
    kept.data_key,
    importRun ?? null,
    beginOfFirstLine + endOfLine({ at, what: 'staged', by, after }),
    now,
  ]
}

const insert = `INSERT INTO ${tables.accountImports} (${columns})`
const values = "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 'staged', 0, 0, 0"

/**
 * A single staging checks the supplier's revision in its own statement. READ COMMITTED, which all connections have, reads the
 * supplier as committed when the statement begins: it locks nothing there, and does not wait for its writers.
 */
const rowsOf = (stagings: readonly KeptStaging[], stagingId: string): readonly [string, Bindings] => {
  const bindings = stagings.flatMap((staging) => bindingsOf(staging, stagingId))
  const [first] = stagings
  const supplier = stagings.length === 1 && first !== undefined ? supplierBindings(first) : undefined
  return supplier === undefined
    ? [`VALUES ${stagings.map(() => `(${values})`).join(', ')}`, bindings]
    : [`SELECT ${values} ${fromSupplier}`, [...bindings, ...supplier]]
}

const nameOf = ({ key }: Staging): string => accountKeyText(key)

const stagedAs = (version: number): StageOutcome => ({
  _tag: version === 1 ? 'created' : 'replaced',
  version,
})

/**
 * Reads from the row why an import was not staged. A row without a reason had a claim that has ended since; an account or a mark
 * would remain.
 */
const outcomeOf = (row: ReadImportRow, staging: Staging, stagingId: string): StageOutcome =>
  row.staging_id === stagingId
    ? stagedAs(row.staged_version)
    : (refusalOf(accountImportOf(row), staging.at) ?? { _tag: 'in_progress' })

/**
 * Decides all stagings, which are in the order of their keys, in one statement. A row with this `stagingId` was staged by it.
 * Several stagings may need another read of their rows, which sees the result of the statement only in a transaction. A single
 * staging whose supplier has changed has no outcome.
 */
const decide = async (
  db: Db,
  stagings: readonly KeptStaging[],
): Promise<ReadonlyMap<string, StageOutcome>> => {
  const { returning, reportedValues } = db.dialect.upserts
  const stagingId = randomUUID()
  const [rows, bindings] = rowsOf(stagings, stagingId)
  const answer = await db.raw(`${insert} ${rows} ${whenAllowed(db.dialect)}`, bindings)
  const versions = reportedValues(answer, stagings.length)
  if (versions !== undefined)
    return new Map(versions.map((version, index) => [nameOf(stagings[index] as Staging), stagedAs(version)]))
  const { sql, bindings: keys } = hasOneOfKeys(stagings.map(({ key }) => key))
  const text = `SELECT ${importColumns} FROM ${tables.accountImports} WHERE ${sql}`
  const written =
    returning === undefined
      ? await db.select<ReadImportRow>(text, keys)
      : (answer as readonly ReadImportRow[])
  const rowOf = new Map(written.map((row) => [accountKeyText(importKeyOf(row)), row]))
  return new Map(
    stagings.flatMap((staging) => {
      const name = nameOf(staging)
      const row = rowOf.get(name)
      return row === undefined ? [] : [[name, outcomeOf(row, staging, stagingId)]]
    }),
  )
}

/**
 * A statement that reports the outcome of its rows needs no transaction: with `returning` for all rows, otherwise for a single
 * one.
 */
const inFewestSteps = ({ dialect, query, transaction }: Session, stagings: number): Session['transaction'] =>
  stagings === 1 || dialect.upserts.returning !== undefined ? query : transaction

const withKept = ({ dataKeys }: Session, stagings: readonly Staging[]): Promise<readonly KeptStaging[]> =>
  Promise.all(
    stagings.map(async (staging) => ({
      ...staging,
      kept: await keptPayload(dataKeys, staging.key, staging.payload),
    })),
  )

/** Stages one batch. A single staging checks its supplier in its statement; for several, a statement before it does. */
const stageTogether = async (
  session: Session,
  stagings: readonly Staging[],
): Promise<readonly StageOutcome[]> => {
  const batch = await withKept(
    session,
    stagings.toSorted((a, b) => compareKeys(a.key, b.key)),
  )
  const decided = await inFewestSteps(
    session,
    batch.length,
  )(async (db) => (batch.length === 1 || (await hasRevision(db, batch[0])) ? decide(db, batch) : undefined))
  return stagings.map((staging) => decided?.get(nameOf(staging)) ?? { _tag: 'supplier_changed' })
}

/** The only batch sizes, because each connection prepares a statement for each size. Other stagings wait for the next batch. */
const sizes = [64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2, 1]

/** Stagings share a batch if they are of one supplier and depend on the same revision of it. */
const isOfGroup = (first: Staging, { key, supplierRevision }: Staging): boolean =>
  areOfOneSupplier(first.key, key) && first.supplierRevision === supplierRevision

/** Larger batches save little, and hold locks for longer. */
const limits = {
  maxItems: 64,
  maxBytes: maxStatementBytes,
  bytesOf: (staging: Staging): number => staging.payload.length + 512,
}

/** The indexes of the stagings that share a batch with the first. */
const nextStagings = (waiting: readonly Staging[]): readonly number[] => {
  const indexes = nextOfGroup(waiting, isOfGroup, limits)
  return indexes.slice(
    0,
    sizes.find((size) => size <= indexes.length),
  )
}

const asFailed = (cause: unknown): StageOutcome =>
  isTooLarge(cause)
    ? { _tag: 'too_large', limitBytes: cause.limitBytes ?? maxStatementBytes }
    : { _tag: 'failed', failure: portFailure(failureKind(cause), 'accountImports', 'stage', cause) }

/** Stages each alone where all together are larger than a statement may be. */
const stageInParts = async (
  session: Session,
  stagings: readonly Staging[],
): Promise<readonly StageOutcome[]> => {
  try {
    return await stageTogether(session, stagings)
  } catch (cause) {
    if (!isTooLarge(cause)) throw cause
    if (stagings.length === 1) return [asFailed(cause)]
    const outcomes: StageOutcome[] = []
    for (const staging of stagings) outcomes.push(...(await stageInParts(session, [staging])))
    return outcomes
  }
}

type CreatedRow = Readonly<{
  external_account_number: string
  payload_hash: string | null
  payload: string | null
  data_key: string | null
}>

/** Reads the payload only where its text differs from the compared one. */
const textFor = (count: number): string =>
  'SELECT external_account_number, payload_hash, data_key, ' +
  `CASE WHEN payload_hash <> ${caseOf('external_account_number', count)} THEN payload END AS payload ` +
  `FROM ${tables.accountImports} WHERE organisation = ? AND import_supplier = ? ` +
  `AND external_account_number IN (${placeholders(count)}) AND platform_account_number IS NOT NULL ` +
  'AND (erased_at IS NULL OR erased_at < account_created_at)'

type HashedData = ComparedData & Readonly<{ hash: string | null }>

const hashed = (data: ComparedData): HashedData => ({
  ...data,
  hash: data.payload === undefined ? null : sha256(data.payload),
})

/** Compares accounts of one supplier, by one statement. */
const compareTogether = async (
  db: Db,
  compared: readonly ComparedData[],
): Promise<readonly (boolean | undefined)[]> => {
  const all = compared.map(hashed)
  const list = filledUp(all)
  const numbers = list.map(({ key }) => key.externalAccountNumber)
  const rows = await db.select<CreatedRow>(textFor(list.length), [
    ...list.flatMap(({ key, hash }) => [key.externalAccountNumber, hash]),
    ...importKeyValues((list as readonly [HashedData])[0].key).slice(0, 2),
    ...numbers,
  ])
  const found = new Map(rows.map((row) => [row.external_account_number, row]))
  return Promise.all(
    all.map(async ({ key, payload: sent, hash }) => {
      const row = found.get(key.externalAccountNumber)
      if (row === undefined) return undefined
      // An import with an account is never staged again, so its data is that of the account.
      if (sent === undefined || row.payload_hash === hash) return true
      const { payload, data_key } = row
      return payload !== null && isSameJson(sent, await payloadOf(db.dataKeys, key, { payload, data_key }))
    }),
  )
}

/** One statement reads as many payloads as a batch of claims does. */
const comparedLimits = {
  maxItems: 16,
  maxBytes: maxStatementBytes,
  bytesOf: ({ payload = '' }: ComparedData): number => payload.length,
}

/**
 * Joins stagings, and comparisons, that wait at the same time. `parallel`: most batches of stagings at one time; the number of
 * the dialect when absent.
 */
export const sqlStaging = (session: Session, parallel?: number) => {
  const stage = batched(
    session,
    'stage',
    (stagings: readonly Staging[]) => stageInParts(session, stagings),
    nextStagings,
    parallel,
  )
  const compare = batched(
    session,
    'read',
    (compared: readonly ComparedData[]) => session.query((db) => compareTogether(db, compared)),
    (waiting) => nextOfGroup(waiting, (first, { key }) => areOfOneSupplier(first.key, key), comparedLimits),
  )
  return {
    stage: async (stagings: readonly Staging[]): Promise<readonly StageOutcome[]> => {
      const outcomes = await Promise.all(stagings.map((staging) => stage(staging).catch(asFailed)))
      const failed = outcomes.flatMap((each) => (each._tag === 'failed' ? [each.failure] : []))
      const isOfOneKind = new Set(failed.map(({ kind }) => kind)).size === 1
      if (isOfOneKind && failed.length === outcomes.length) throw failed[0]?.cause
      return outcomes
    },
    sameData: (compared: readonly ComparedData[]) => Promise.all(compared.map(compare)),
  }
}
