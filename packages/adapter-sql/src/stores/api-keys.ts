import type { ApiKeyRecord, ApiKeys, FoundApiKey, Instant } from '@account-import/core'
import type { Knex } from 'knex'
import { sqlPortCall } from '../failures/sql-port-call.js'
import { apiKeyOf, apiKeyRow, type ApiKeyRow } from '../rows/api-keys.js'
import { toSqlInstant } from '../rows/instants.js'
import type { Session } from '../session/session.js'
import { insertForOrganisation } from '../statements/insert-for-organisation.js'
import { tables } from '../rows/tables.js'

/**
 * Whoever makes keys of an organisation, or revokes all of them, takes turns at it: a key that is made at the same time is
 * there and is revoked with the others, or its making begins after that.
 */
const lockOrganisation = async (db: Knex, code: string): Promise<void> => {
  await db(tables.organisations).where({ code }).forUpdate().select('code')
}

const create = async (db: Knex, record: ApiKeyRecord): Promise<'created' | 'organisation_does_not_exist'> => {
  await lockOrganisation(db, record.organisation)
  const outcome = await insertForOrganisation(db, tables.apiKeys, apiKeyRow(record))
  if (outcome === 'taken') throw new Error('There is an API key with this id already')
  return outcome
}

type FoundRow = ApiKeyRow & Readonly<{ organisation_disabled_at: string | null }>

const find = async (db: Knex, id: string): Promise<FoundApiKey | undefined> => {
  const row = (await db(`${tables.apiKeys} as k`)
    .join(`${tables.organisations} as o`, 'o.code', 'k.organisation')
    .where({ id })
    .first('k.*', 'o.disabled_at as organisation_disabled_at')) as FoundRow | undefined
  if (row === undefined) return undefined
  return { ...apiKeyOf(row), isOrganisationDisabled: row.organisation_disabled_at !== null }
}

const revoke = async (db: Knex, id: string, at: Instant): Promise<boolean> => {
  const revokedAt = db.raw('COALESCE(revoked_at, ?)', [toSqlInstant(at)])
  return (await db(tables.apiKeys).where({ id }).update({ revoked_at: revokedAt })) === 1
}

const rotate = async (db: Knex, id: string, replacement: ApiKeyRecord, endsAt: Instant): Promise<boolean> => {
  const { organisation } = replacement
  await lockOrganisation(db, organisation)
  const [living] = (await db(tables.apiKeys)
    .where({ id, organisation })
    .whereNull('revoked_at')
    .forUpdate()
    .select('id')) as readonly unknown[]
  if (living === undefined) return false
  const end = toSqlInstant(endsAt)
  await db(tables.apiKeys)
    .where({ id })
    .where((rows) => void rows.whereNull('expires_at').orWhere('expires_at', '>', end))
    .update({ expires_at: end })
  await db(tables.apiKeys).insert(apiKeyRow(replacement))
  return true
}

const revokeAll = async (db: Knex, organisation: string, at: Instant): Promise<number> => {
  await lockOrganisation(db, organisation)
  return db(tables.apiKeys)
    .where({ organisation })
    .whereNull('revoked_at')
    .update({ revoked_at: toSqlInstant(at) })
}

const noteUse = async (db: Knex, id: string, at: Instant, since: Instant): Promise<void> => {
  await db(tables.apiKeys)
    .where({ id })
    .where((rows) => void rows.whereNull('last_used_at').orWhere('last_used_at', '<=', toSqlInstant(since)))
    .update({ last_used_at: toSqlInstant(at) })
}

const list = async (db: Knex): Promise<readonly ApiKeyRecord[]> => {
  const rows = (await db(tables.apiKeys).orderBy(['created_at', 'id'])) as readonly ApiKeyRow[]
  return rows.map(apiKeyOf)
}

const call = sqlPortCall('apiKeys')

export const sqlApiKeys = (session: Session): ApiKeys => ({
  create: (record) => call('create', () => session.together((db) => create(db, record))),
  find: (id) => call('find', () => session.run((db) => find(db, id))),
  revoke: (id, at) => call('revoke', () => session.run((db) => revoke(db, id, at))),
  rotate: (id, replacement, endsAt) =>
    call('rotate', () => session.together((db) => rotate(db, id, replacement, endsAt))),
  revokeAll: (organisation, at) =>
    call('revokeAll', () => session.together((db) => revokeAll(db, organisation, at))),
  noteUse: (id, at, since) => call('noteUse', () => session.run((db) => noteUse(db, id, at, since))),
  list: () => call('list', () => session.run(list)),
})
