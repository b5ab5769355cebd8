import { portCall, type ApiKeys } from '@account-import/core'
import { sorted } from './pages.js'
import type { Access } from './turns.js'

export const apiKeys = ({ read, change }: Access): ApiKeys => {
  const call = portCall('apiKeys')
  return {
    create: (record) =>
      call('create', () =>
        change((view) => {
          if (!view.get('organisations', record.organisation)) return 'organisation_does_not_exist'
          view.insert('apiKeys', record.id, record)
          return 'created'
        }),
      ),
    find: (id) =>
      call('find', () =>
        read((view) => {
          const found = view.get('apiKeys', id)
          if (!found) return undefined
          const isOrganisationDisabled =
            view.get('organisations', found.organisation)?.disabledAt !== undefined
          return { ...found, isOrganisationDisabled }
        }),
      ),
    revoke: (id, at) =>
      call('revoke', () =>
        change((view) => {
          const found = view.get('apiKeys', id)
          if (found) view.put('apiKeys', id, { ...found, revokedAt: found.revokedAt ?? at })
          return found !== undefined
        }),
      ),
    rotate: (id, replacement, endsAt) =>
      call('rotate', () =>
        change((view) => {
          const found = view.get('apiKeys', id)
          if (found?.organisation !== replacement.organisation || found.revokedAt !== undefined) return false
          if (found.expiresAt === undefined || found.expiresAt > endsAt)
            view.put('apiKeys', id, { ...found, expiresAt: endsAt })
          view.insert('apiKeys', replacement.id, replacement)
          return true
        }),
      ),
    revokeAll: (organisation, at) =>
      call('revokeAll', () =>
        change((view) => {
          const living = view
            .rows('apiKeys')
            .filter((key) => key.organisation === organisation && key.revokedAt === undefined)
          for (const key of living) view.put('apiKeys', key.id, { ...key, revokedAt: at })
          return living.length
        }),
      ),
    noteUse: (id, at, since) =>
      call('noteUse', () =>
        change((view) => {
          const found = view.get('apiKeys', id)
          if (found && (found.lastUsedAt === undefined || found.lastUsedAt <= since))
            view.put('apiKeys', id, { ...found, lastUsedAt: at })
        }),
      ),
    list: () =>
      call('list', () =>
        read((view) => sorted(view.rows('apiKeys'), ({ createdAt, id }) => `${createdAt} ${id}`)),
      ),
  }
}
