import type { ApiKeyRecord, ApiKeys, Instant } from '@account-import/core'
import type { Knex } from 'knex'
import { sqlPortCall } from '../failures/sql-port-call.js'
import { apiKeyOf, apiKeyRow, type ApiKeyRow } from '../rows/api-keys.js'
import { toSqlInstant } from '../rows/instants.js'
import type { Session } from '../session/session.js'
import { insertForOrganisation } from '../statements/insert-for-organisation.js'
import { tables } from '../rows/tables.js'

const create = async (db: Knex, record: ApiKeyRecord): Promise<'created' | 'organisation_does_not_exist'> => {
  const outcome = await insertForOrganisation(db, tables.apiKeys, apiKeyRow(record))
  if (outcome === 'taken') throw new Error('There is an API key with this id already')
  return outcome
}

const find = async (db: Knex, id: string): Promise<ApiKeyRecord | undefined> => {
  const row = (await db(tables.apiKeys).where({ id }).first()) as ApiKeyRow | undefined
  return row === undefined ? undefined : apiKeyOf(row)
}

const revoke = async (db: Knex, id: string, at: Instant): Promise<boolean> => {
  const revokedAt = db.raw('COALESCE(revoked_at, ?)', [toSqlInstant(at)])
  return (await db(tables.apiKeys).where({ id }).update({ revoked_at: revokedAt })) === 1
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
  list: () => call('list', () => session.run(list)),
})
