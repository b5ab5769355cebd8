import type { ApiKeyRecord, ApiKeys } from '../ports/api-keys.js'
import type { Organisation } from '../ports/organisations.js'
import { portCall } from '../ports/port-failure.js'
import { inOrder } from './in-order.js'

export const inMemoryApiKeys = (organisations: ReadonlyMap<string, Organisation>): ApiKeys => {
  const rows = new Map<string, ApiKeyRecord>()
  const call = portCall('apiKeys')
  const change = (id: string, changed: (found: ApiKeyRecord) => Partial<ApiKeyRecord>): boolean => {
    const found = rows.get(id)
    if (found !== undefined) rows.set(id, { ...found, ...changed(found) })
    return found !== undefined
  }
  return {
    create: (record) =>
      call('create', async () => {
        if (!organisations.has(record.organisation)) return 'organisation_does_not_exist'
        rows.set(record.id, record)
        return 'created'
      }),
    find: (id) =>
      call('find', async () => {
        const found = rows.get(id)
        if (found === undefined) return undefined
        const isOrganisationDisabled = organisations.get(found.organisation)?.disabledAt !== undefined
        return { ...found, isOrganisationDisabled }
      }),
    revoke: (id, at) =>
      call('revoke', async () => change(id, ({ revokedAt }) => ({ revokedAt: revokedAt ?? at }))),
    rotate: (id, replacement, endsAt) =>
      call('rotate', async () => {
        const found = rows.get(id)
        if (found?.organisation !== replacement.organisation || found.revokedAt !== undefined) return false
        const endsBefore = found.expiresAt !== undefined && found.expiresAt < endsAt
        if (!endsBefore) rows.set(id, { ...found, expiresAt: endsAt })
        rows.set(replacement.id, replacement)
        return true
      }),
    revokeAll: (organisation, at) =>
      call('revokeAll', async () => {
        const living = [...rows.values()].filter(
          (row) => row.organisation === organisation && row.revokedAt === undefined,
        )
        for (const row of living) rows.set(row.id, { ...row, revokedAt: at })
        return living.length
      }),
    noteUse: (id, at, since) =>
      call('noteUse', async () => {
        const { lastUsedAt } = rows.get(id) ?? {}
        if (lastUsedAt === undefined || lastUsedAt <= since) change(id, () => ({ lastUsedAt: at }))
      }),
    list: () => call('list', async () => inOrder(rows.values(), ({ createdAt, id }) => `${createdAt} ${id}`)),
  }
}
