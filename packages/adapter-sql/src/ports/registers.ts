import { isDeepStrictEqual } from 'node:util'
import {
  type ApiKeyRecord,
  type ApiKeys,
  builtInSettings,
  type ClosedList,
  type FoundSupplier,
  type ImportSupplier,
  type ImportSuppliers,
  type Instant,
  type OperationsTeam,
  type OperationsTeams,
  type Organisation,
  type Organisations,
  type RefreshTokenFamily,
  type RefreshTokens,
  scopes,
  severities,
  type SupplierSettings,
} from '@account-import/core'
import * as t from 'io-ts'
import { sqlPort, unlessDuplicate } from '../sql/failures.js'
import {
  instant,
  jsonColumn,
  oneOf,
  optionalInstant,
  placeholders,
  plain,
  recordTable,
  type Row,
  tables,
} from '../sql/rows.js'
import { readsInBatches } from '../sql/batches.js'
import { remembered } from '../sql/remembered.js'
import type { Db, Session } from '../sql/session.js'

/**
 * Inserts the row if its organisation exists, in one statement. (Not a foreign key: sharded databases have none.) Needs a
 * transaction: a retry between the statements would find the row that it inserted itself.
 */
const insertForOrganisation = (
  db: Db,
  table: string,
  row: Row,
  organisation: string,
): Promise<'created' | 'taken' | 'organisation_does_not_exist'> => {
  const columns = Object.keys(row)
  const text =
    `INSERT INTO ${table} (${columns.join(', ')}) ` +
    `SELECT ${placeholders(columns.length)} FROM ${tables.organisations} WHERE code = ?`
  return unlessDuplicate(async () => {
    await db.raw(text, [...columns.map((column) => row[column] ?? null), organisation])
    const there = await db.select(`SELECT code FROM ${tables.organisations} WHERE code = ?`, [organisation])
    return there.length === 0 ? 'organisation_does_not_exist' : 'created'
  }, 'taken')
}

/** Joins concurrent reads of rows, by one statement for each key: concurrent callers need few. */
const findsInBatches = <Key extends readonly string[], Found>(
  session: Session,
  owner: (key: Key) => string,
  find: (db: Db, ...key: Key) => Promise<Found>,
): ((...key: Key) => Promise<Found>) => {
  const read = readsInBatches(session, owner, JSON.stringify, (keys: readonly Key[]) =>
    Promise.all(keys.map((key) => session.query((db) => find(db, ...key)))),
  )
  return (...key) => read(key)
}

const organisations = recordTable<Organisation>(tables.organisations, {
  code: plain(),
  name: plain(),
  createdAt: instant,
  disabledAt: optionalInstant,
})

const disableText = `UPDATE ${tables.organisations} SET disabled_at = COALESCE(disabled_at, ?) WHERE code = ?`

const sqlOrganisations = ({ inQuery }: Session): Organisations =>
  sqlPort<Organisations>('organisations', {
    create: inQuery(async (db, organisation) => {
      const isNew = await db.insertNew(organisations.name, [organisations.rowOf(organisation)])
      return isNew ? 'created' : 'code_taken'
    }),
    find: inQuery(async (db, code) => (await db.records(organisations, 'WHERE code = ?', [code]))[0]),
    disable: inQuery((db, code, at) => db.changeOne(disableText, [instant.write(at), code])),
    enable: inQuery((db, code) =>
      db.updateOne(organisations.name, { disabled_at: null }, 'code = ?', [code]),
    ),
    list: inQuery((db) => db.records(organisations, 'ORDER BY code')),
  })

const bindingText = `SELECT 1 FROM ${tables.operationsTeamBindings} b WHERE b.operations_team = t.name`

/** Whether an organisation may name the team `t`. Binding: the organisation. */
const isUsable = `(NOT EXISTS (${bindingText}) OR EXISTS (${bindingText} AND b.organisation = ?))`

/** The team, if the organisation may name it; at most one row. Bindings: its name and the organisation. */
export const teamText = `SELECT t.name FROM ${tables.operationsTeams} t WHERE t.name = ? AND ${isUsable}`

const namedText = `SELECT name FROM ${tables.operationsTeams} WHERE name = ?`
const unbindText = `DELETE FROM ${tables.operationsTeamBindings} WHERE operations_team = ? AND organisation = ?`
const listTeamsText = (where: string): string =>
  `SELECT t.name, b.organisation FROM ${tables.operationsTeams} t ` +
  `LEFT JOIN ${tables.operationsTeamBindings} b ON b.operations_team = t.name ${where} ORDER BY t.name, b.organisation`

const teamsIn = async (
  db: Db,
  where: string,
  bindings: readonly string[],
): Promise<readonly OperationsTeam[]> => {
  const rows = await db.select<Readonly<{ name: string; organisation: string | null }>>(
    listTeamsText(where),
    bindings,
  )
  const teams = new Map(rows.map(({ name }) => [name, [] as string[]]))
  for (const { name, organisation } of rows) if (organisation !== null) teams.get(name)?.push(organisation)
  return [...teams].map(([name, bound]) => ({ name, organisations: bound }))
}

const sqlOperationsTeams = (session: Session): OperationsTeams => {
  const { inQuery, inTransaction } = session
  const exists = async (db: Db, name: string, organisation: string): Promise<boolean> =>
    (await db.select(teamText, [name, organisation])).length > 0
  const { find, recent } = remembered(
    findsInBatches(session, ([, organisation]: [string, string]) => organisation, exists),
  )
  return sqlPort<Required<OperationsTeams>>('operationsTeams', {
    create: inQuery(async (db, name) =>
      (await db.insertNew(tables.operationsTeams, [{ name }])) ? 'created' : 'name_taken',
    ),
    exists: find,
    recent: async (name, organisation) => (await recent(name, organisation)) ?? false,
    bind: inTransaction(async (db, name, organisation) => {
      if ((await db.select(namedText, [name])).length === 0) return 'team_does_not_exist'
      const row = { operations_team: name, organisation }
      const outcome = await insertForOrganisation(db, tables.operationsTeamBindings, row, organisation)
      return outcome === 'organisation_does_not_exist' ? outcome : 'bound'
    }),
    unbind: inQuery((db, name, organisation) => db.changeOne(unbindText, [name, organisation])),
    list: inQuery((db, organisation) => teamsIn(db, `WHERE ${isUsable}`, [organisation])),
    listAll: inQuery((db) => teamsIn(db, '', [])),
  })
}

const closedList: t.Type<ClosedList> = t.type({
  members: t.readonlyArray(t.string),
  severity: oneOf(['error', 'warn']),
})

/** Each setting may be missing, because an earlier version saved the row. */
const settings = jsonColumn(
  'import_suppliers.settings',
  t.partial<{ [Name in keyof SupplierSettings]-?: t.Type<Required<SupplierSettings>[Name]> }>({
    severities: t.record(t.string, oneOf(severities)),
    closedLists: t.record(t.string, closedList),
    internalEmailDomains: t.readonlyArray(t.string),
    markets: t.readonlyArray(t.string),
    documentRoot: t.string,
    migrationEmails: t.boolean,
    emailLanguage: t.string,
    retentionDays: t.number,
  }),
)

const suppliers = recordTable<ImportSupplier>(tables.importSuppliers, {
  code: plain(),
  organisation: plain(),
  status: plain(),
  settings: { ...settings, read: (text) => ({ ...builtInSettings, ...settings.read(text) }) },
})

const findSupplierText = `SELECT * FROM ${tables.importSuppliers} WHERE organisation = ? AND code = ?`

const findSupplier = async (
  db: Db,
  organisation: string,
  code: string,
): Promise<FoundSupplier | undefined> => {
  const [row] = await db.select<Row>(findSupplierText, [organisation, code])
  return row && { ...suppliers.recordOf(row), revision: String(row['revision']) }
}

/** A row if the supplier is ongoing and has this revision. Bindings: organisation, code, revision. */
export const ongoingText = `FROM ${tables.importSuppliers} s WHERE s.organisation = ? AND s.code = ? AND s.status = 'ongoing' AND s.revision = ?`

const byCodeText = `SELECT * FROM ${tables.importSuppliers} WHERE code = ?`
const saveText = `UPDATE ${tables.importSuppliers} SET settings = ?, revision = revision + 1 WHERE code = ? AND revision = ?`

const sqlImportSuppliers = (session: Session): ImportSuppliers => {
  const { inQuery, inTransaction } = session
  const { find, recent } = remembered(findsInBatches(session, ([organisation]) => organisation, findSupplier))
  return sqlPort<Required<ImportSuppliers>>('importSuppliers', {
    find,
    recent,
    findByCode: inQuery(async (db, code) => (await db.records(suppliers, 'WHERE code = ?', [code]))[0]),
    create: inTransaction(async (db, supplier) => {
      const outcome = await insertForOrganisation(
        db,
        suppliers.name,
        { ...suppliers.rowOf(supplier), revision: 1 },
        supplier.organisation,
      )
      return outcome === 'taken' ? 'code_taken' : outcome
    }),
    setStatus: inQuery((db, code, status) => db.updateOne(suppliers.name, { status }, 'code = ?', [code])),
    // The update compares with the revision that was read, so that only one of several concurrent changes is saved.
    saveSettings: inQuery(async (db, code, before, after) => {
      const [row] = await db.select<Row>(byCodeText, [code])
      if (row === undefined) return 'does_not_exist'
      if (!isDeepStrictEqual(suppliers.recordOf(row).settings, before)) return 'changed_meanwhile'
      const isSaved = await db.changeOne(saveText, [settings.write(after), code, row['revision'] ?? null])
      return isSaved ? 'saved' : 'changed_meanwhile'
    }),
    list: inQuery((db, organisation) =>
      db.records(suppliers, 'WHERE organisation = ? ORDER BY code', [organisation]),
    ),
    listAll: inQuery((db) => db.records(suppliers, 'ORDER BY code')),
  })
}

const apiKeys = recordTable<ApiKeyRecord>(tables.apiKeys, {
  id: plain(),
  organisation: plain(),
  name: plain(),
  secretHash: plain(),
  scopes: jsonColumn('api_keys.scopes', t.readonlyArray(oneOf(scopes))),
  createdAt: instant,
  expiresAt: optionalInstant,
  revokedAt: optionalInstant,
  lastUsedAt: optionalInstant,
})

/**
 * Locks the organisation, so that calls that create keys and calls that revoke all keys exclude each other: a key is created
 * before and revoked with the others, or created after.
 */
const lockOrganisation = async (db: Db, code: string): Promise<void> => {
  await db.select(`SELECT code FROM ${tables.organisations} WHERE code = ? ${db.dialect.forUpdate}`, [code])
}

const findKeyText =
  `SELECT k.*, o.disabled_at AS organisation_disabled_at FROM ${tables.apiKeys} k ` +
  `JOIN ${tables.organisations} o ON o.code = k.organisation WHERE k.id = ?`

const revokeText = `UPDATE ${tables.apiKeys} SET revoked_at = COALESCE(revoked_at, ?) WHERE id = ?`

const livingText = `SELECT id FROM ${tables.apiKeys} WHERE id = ? AND organisation = ? AND revoked_at IS NULL`

const revokeAllText = `UPDATE ${tables.apiKeys} SET revoked_at = ? WHERE organisation = ? AND revoked_at IS NULL`

const sqlApiKeys = ({ inQuery, inTransaction, query }: Session): ApiKeys =>
  sqlPort<ApiKeys>('apiKeys', {
    create: inTransaction(async (db, record) => {
      await lockOrganisation(db, record.organisation)
      const outcome = await insertForOrganisation(
        db,
        apiKeys.name,
        apiKeys.rowOf(record),
        record.organisation,
      )
      if (outcome === 'taken') throw new Error('There is an API key with this id already')
      return outcome
    }),
    find: inQuery(async (db, id) => {
      const [row] = await db.select<Row>(findKeyText, [id])
      return (
        row && {
          ...apiKeys.recordOf(row),
          isOrganisationDisabled: row['organisation_disabled_at'] !== null,
        }
      )
    }),
    revoke: inQuery((db, id, at) => db.changeOne(revokeText, [instant.write(at), id])),
    rotate: inTransaction(async (db, id, replacement, endsAt) => {
      const { organisation } = replacement
      await lockOrganisation(db, organisation)
      const living = await db.select(`${livingText} ${db.dialect.forUpdate}`, [id, organisation])
      if (living.length === 0) return false
      const end = instant.write(endsAt)
      const stillGood = 'id = ? AND (expires_at IS NULL OR expires_at > ?)'
      await db.updateOne(apiKeys.name, { expires_at: end }, stillGood, [id, end])
      await db.insert(apiKeys.name, [apiKeys.rowOf(replacement)])
      return true
    }),
    revokeAll: inTransaction(async (db, organisation, at) => {
      await lockOrganisation(db, organisation)
      return db.change(revokeAllText, [instant.write(at), organisation])
    }),
    noteUse: async (id, at, since) => {
      const isDue = 'id = ? AND (last_used_at IS NULL OR last_used_at <= ?)'
      const used = { last_used_at: instant.write(at) }
      await query((db) => db.updateOne(apiKeys.name, used, isDue, [id, instant.write(since)]))
    },
    list: inQuery((db) => db.records(apiKeys, 'ORDER BY created_at, id')),
  })

/** `secret_hash` is NULL once the family is ended: none of its tokens is valid any more. */
const refreshTokens = recordTable<RefreshTokenFamily>(tables.refreshTokens, {
  hash: plain(),
  apiKeyId: plain(),
  expiresAt: instant,
  secretHash: plain(),
  endsAt: instant,
})

/**
 * Most families that a call removes, of the expired ones and of the surplus ones. A call adds one family, so the families do not
 * accumulate; the limit keeps each call short.
 */
const mostRemoved = 20

type HashRow = Readonly<{ hash: string }>

const remove = async (db: Db, rows: readonly HashRow[]): Promise<void> => {
  if (rows.length === 0) return
  const hashes = rows.map(({ hash }) => hash).toSorted()
  await db.change(
    `DELETE FROM ${tables.refreshTokens} WHERE hash IN (${placeholders(hashes.length)})`,
    hashes,
  )
}

const endedText = `SELECT hash FROM ${tables.refreshTokens} WHERE expires_at < ? ORDER BY expires_at LIMIT ${mostRemoved}`

/** Removes families whose latest token has expired, found by the index on `expires_at` and deleted by their keys. */
const purge = async (db: Db, at: Instant): Promise<void> =>
  remove(db, await db.select<HashRow>(endedText, [instant.write(at)]))

const othersText =
  `SELECT hash FROM ${tables.refreshTokens} WHERE api_key_id = ? AND hash <> ? AND secret_hash IS NOT NULL ` +
  'ORDER BY ends_at DESC LIMIT'

/** Removes the surplus families of a key, found by the index on its families and deleted by their keys. */
const trim = async (db: Db, { apiKeyId, hash }: RefreshTokenFamily, mostOthers: number): Promise<void> => {
  const text = `${othersText} ${Math.trunc(mostOthers) + mostRemoved}`
  const latestFirst = await db.select<HashRow>(text, [apiKeyId, hash])
  await remove(db, latestFirst.slice(mostOthers))
}

const hasEndedText = `SELECT hash FROM ${tables.refreshTokens} WHERE hash = ? AND secret_hash IS NULL`

const sqlRefreshTokens = ({ inQuery, inTransaction, query }: Session): RefreshTokens =>
  sqlPort<RefreshTokens>('refreshTokens', {
    begin: async (family, at, mostOthers) => {
      await query((db) => db.insert(refreshTokens.name, [refreshTokens.rowOf(family)]))
      await query((db) => trim(db, family, mostOthers))
      await query((db) => purge(db, at))
    },
    find: (hash) =>
      query(
        async (db) =>
          (await db.records(refreshTokens, 'WHERE hash = ? AND secret_hash IS NOT NULL', [hash]))[0],
      ),
    follow: inTransaction((db, hash, secretHash, next) =>
      db.updateOne(
        refreshTokens.name,
        { secret_hash: next.secretHash, expires_at: instant.write(next.expiresAt) },
        'hash = ? AND secret_hash = ?',
        [hash, secretHash],
      ),
    ),
    // An ended family has no `secret_hash`, so that no token fits it. Its row is removed after `expires_at`.
    end: async (hash, until) => {
      const ended = { secret_hash: null, expires_at: instant.write(until) }
      await query((db) =>
        db.updateOne(refreshTokens.name, ended, 'hash = ? AND secret_hash IS NOT NULL', [hash]),
      )
    },
    hasEnded: inQuery(async (db, hash) => (await db.select(hasEndedText, [hash])).length > 0),
  })

/** The operator's registers, and the refresh tokens of API keys. */
export const sqlRegisters = (session: Session) => ({
  apiKeys: sqlApiKeys(session),
  importSuppliers: sqlImportSuppliers(session),
  operationsTeams: sqlOperationsTeams(session),
  organisations: sqlOrganisations(session),
  refreshTokens: sqlRefreshTokens(session),
})
