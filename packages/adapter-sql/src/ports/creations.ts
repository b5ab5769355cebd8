import { type AccountKey, type Creation, type CreationOutcome, largeAccountBytes } from '@account-import/core'
import { accountFormat, refusalOf } from '@account-import/core/adapter-kit'
import { sha256 } from '../sql/crypto.js'
import { failedAlone, inBatches } from '../sql/batches.js'
import {
  grouped,
  hasOneOfKeys,
  importKeyOf,
  type ImportKeyRow,
  instant,
  keyColumns,
  tables,
} from '../sql/rows.js'
import type { Db, Session } from '../sql/session.js'
import { insertEvents } from './audit-events.js'
import {
  accountImportOf,
  eventOfLocked,
  type LockedImport,
  lockImports,
  type PayloadColumns,
  payloadOf,
  byImport,
  updateImports,
} from './import-rows.js'
import { freeSlots } from './slots.js'

/** Whether the staged data was found valid by the rules of the creation, or is of the version that its caller found valid. */
const isValidated = (row: LockedImport, { validatedUnder, version }: Creation): boolean =>
  version === undefined
    ? validatedUnder !== undefined && row.validated_under === validatedUnder
    : row.staged_version === version

/** An account with the number was created by an earlier call, whose commit was reported as failed: numbers are unique. */
const decide = (
  row: LockedImport | undefined,
  creation: Creation,
): CreationOutcome | 'create' | 'needs_validation' => {
  const { at, platformAccountNumber, token } = creation
  if (row?.platform_account_number === platformAccountNumber) return { _tag: 'created' }
  const isClaimed = token !== undefined && row?.claim_token === token
  const refusal = row && refusalOf(accountImportOf(row), at)
  if (refusal !== undefined && !(isClaimed && refusal._tag === 'in_progress')) return refusal
  if (token !== undefined && !isClaimed) return { _tag: 'claim_lost' }
  if (row === undefined || row.staged_version === 0) return { _tag: 'not_staged' }
  return isValidated(row, creation) ? 'create' : 'needs_validation'
}

const created =
  `state = 'created', created_version = staged_version, created_format = ${accountFormat}, ` +
  'operations_team = ?, created_in_run = ?, validated_under = ?, attempts = attempts + ?, latest_failure_code = NULL, ' +
  'latest_failure_at = NULL, claim_token = NULL, claim_expires_at = NULL, holds_slot = 0'

/** Accounts that differ only in number and time are created by one statement. */
const likeness = ({ operationsTeam, importRun, validatedUnder, token }: Creation): string =>
  JSON.stringify([operationsTeam, importRun, validatedUnder, token === undefined])

/** The data of an account is that of its staging, which has an event of its own: this one seals the number of the account. */
const eventOf = (row: LockedImport | undefined, { key, platformAccountNumber: subject, at, by }: Creation) =>
  eventOfLocked(row, key, { at, what: 'created', by, subject, after: sha256(subject) })

/** Creates the accounts of locked imports. Frees their slots after that, as every transaction locks imports first. */
const write = async (
  db: Db,
  creations: readonly Creation[],
  rowOf: (key: AccountKey) => LockedImport | undefined,
): Promise<void> => {
  for (const group of grouped(creations, likeness).values()) {
    const [{ operationsTeam, importRun, validatedUnder, token }] = group
    await updateImports(db, group, {
      set: created,
      values: [operationsTeam, importRun ?? null, validatedUnder ?? null, token === undefined ? 1 : 0],
      each: {
        'platform_account_number =': ({ platformAccountNumber }) => platformAccountNumber,
        'account_created_at =': ({ at }) => instant.write(at),
      },
    })
  }
  await freeSlots(
    db,
    creations.map(({ key }) => rowOf(key)),
  )
  await insertEvents(
    db,
    creations.map((creation) => eventOf(rowOf(creation.key), creation)),
  )
}

type PayloadRow = ImportKeyRow &
  Pick<PayloadColumns, 'data_key'> &
  Readonly<{ staged_version: number; payload: PayloadColumns['payload'] | null }>

/** The payloads of locked imports, by number and supplier, but for large ones. They are read only where they are validated again. */
const readForValidation = async (
  db: Db,
  creations: readonly Creation[],
): Promise<ReadonlyMap<string, CreationOutcome>> => {
  if (creations.length === 0) return new Map()
  const { sql, bindings } = hasOneOfKeys(creations.map(({ key }) => key))
  const rows = await db.select<PayloadRow>(
    `SELECT ${keyColumns.join(', ')}, staged_version, data_key, ` +
      `CASE WHEN ${db.dialect.bytesOf('payload')} <= ${largeAccountBytes} THEN payload END AS payload ` +
      `FROM ${tables.accountImports} WHERE ${sql}`,
    bindings,
  )
  const read = rows.map(async (row): Promise<readonly [string, CreationOutcome]> => {
    const key = importKeyOf(row)
    const { payload: stored, data_key } = row
    const payload =
      stored === null ? undefined : await payloadOf(db.dataKeys, key, { payload: stored, data_key })
    return [byImport.name({ key }), { _tag: 'needs_validation', version: row.staged_version, payload }]
  })
  return new Map(await Promise.all(read))
}

/** Locks the imports, decides, and creates: all or nothing. */
const createBatch = async (db: Db, creations: readonly Creation[]): Promise<readonly CreationOutcome[]> => {
  const rowOf = await lockImports(
    db,
    creations.map(({ key }) => key),
  )
  const decided = creations.map((creation) => decide(rowOf(creation.key), creation))
  const chosen = (tag: 'create' | 'needs_validation') =>
    creations.filter((_, index) => decided[index] === tag)
  const wanted = chosen('create')
  if (wanted.length > 0) await write(db, wanted, rowOf)
  const toValidate = await readForValidation(db, chosen('needs_validation'))
  return creations.map((creation, index): CreationOutcome => {
    const outcome = decided[index]
    if (typeof outcome === 'object') return outcome
    return outcome === 'create'
      ? { _tag: 'created' }
      : (toValidate.get(byImport.name(creation)) as CreationOutcome)
  })
}

/** Joins creations that wait at the same time. */
export const sqlCreations = (session: Session) => ({
  create: inBatches<Creation, CreationOutcome>(
    session,
    (creations, { transaction }) => transaction((db) => createBatch(db, creations)),
    { work: 'create', most: 64, ...byImport },
    failedAlone('create'),
  ),
})
