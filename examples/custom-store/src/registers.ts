import {
  portCall,
  type ApiKeys,
  type FoundSupplier,
  type ImportSupplier,
  type ImportSuppliers,
  type OperationsTeams,
  type Organisations,
  type RefreshTokens,
} from '@account-import/core'
import { compareCodePoints } from '@account-import/core/adapter-kit'
import { isDeepStrictEqual } from 'node:util'
import type { Access } from './turns.js'
import type { View } from './view.js'

const sorted = <Row>(rows: readonly Row[], name: (row: Row) => string): readonly Row[] =>
  rows.toSorted((left, right) => compareCodePoints(name(left), name(right)))

export const organisations = ({ read, change }: Access): Organisations => {
  const call = portCall('organisations')
  return {
    create: (organisation) =>
      call('create', () =>
        change((view) => {
          if (view.get('organisations', organisation.code)) return 'code_taken'
          view.put('organisations', organisation.code, organisation)
          return 'created'
        }),
      ),
    find: (code) => call('find', () => read((view) => view.get('organisations', code))),
    list: () => call('list', () => read((view) => sorted(view.rows('organisations'), ({ code }) => code))),
  }
}

const changeSupplier = (view: View, code: string, changed: Partial<ImportSupplier>): boolean => {
  const found = view.get('suppliers', code)
  if (found) view.put('suppliers', code, { ...found, ...changed })
  return found !== undefined
}

/** The supplier, if it belongs to the organisation. */
export const supplierOf = (view: View, organisation: string, code: string): FoundSupplier | undefined => {
  const found = view.get('suppliers', code)
  if (found?.organisation !== organisation) return undefined
  return { ...found, revision: JSON.stringify([found.status, found.settings]) }
}

export const importSuppliers = ({ read, change }: Access): ImportSuppliers => {
  const call = portCall('importSuppliers')
  return {
    find: (organisation, code) => call('find', () => read((view) => supplierOf(view, organisation, code))),
    findByCode: (code) => call('findByCode', () => read((view) => view.get('suppliers', code))),
    create: (supplier) =>
      call('create', () =>
        change((view) => {
          if (view.get('suppliers', supplier.code)) return 'code_taken'
          if (!view.get('organisations', supplier.organisation)) return 'organisation_does_not_exist'
          view.put('suppliers', supplier.code, supplier)
          return 'created'
        }),
      ),
    setStatus: (code, status) =>
      call('setStatus', () => change((view) => changeSupplier(view, code, { status }))),
    saveSettings: (code, before, settings) =>
      call('saveSettings', () =>
        change((view) => {
          const found = view.get('suppliers', code)
          if (!found) return 'does_not_exist'
          if (!isDeepStrictEqual(found.settings, before)) return 'changed_meanwhile'
          changeSupplier(view, code, { settings })
          return 'saved'
        }),
      ),
    list: () => call('list', () => read((view) => sorted(view.rows('suppliers'), ({ code }) => code))),
  }
}

export const operationsTeams = ({ read, change }: Access): OperationsTeams => {
  const call = portCall('operationsTeams')
  return {
    create: (name) =>
      call('create', () =>
        change((view) => {
          if (view.get('teams', name) !== undefined) return 'name_taken'
          view.put('teams', name, name)
          return 'created'
        }),
      ),
    exists: (name) => call('exists', () => read((view) => view.get('teams', name) !== undefined)),
    list: () => call('list', () => read((view) => sorted(view.rows('teams'), (name) => name))),
  }
}

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
    find: (id) => call('find', () => read((view) => view.get('apiKeys', id))),
    revoke: (id, at) =>
      call('revoke', () =>
        change((view) => {
          const found = view.get('apiKeys', id)
          if (found) view.put('apiKeys', id, { ...found, revokedAt: found.revokedAt ?? at })
          return found !== undefined
        }),
      ),
    list: () =>
      call('list', () =>
        read((view) => sorted(view.rows('apiKeys'), ({ createdAt, id }) => `${createdAt} ${id}`)),
      ),
  }
}

export const refreshTokens = ({ read, change }: Access): RefreshTokens => {
  const call = portCall('refreshTokens')
  return {
    begin: (family, at, mostOthers) =>
      call('begin', () =>
        change((view) => {
          for (const { hash, expiresAt } of view.rows('refreshTokens'))
            if (expiresAt < at) view.put('refreshTokens', hash, null)
          const others = view
            .rows('refreshTokens')
            .filter(({ apiKeyId, hash }) => apiKeyId === family.apiKeyId && hash !== family.hash)
          for (const { hash } of sorted(others, ({ endsAt }) => endsAt)
            .toReversed()
            .slice(mostOthers))
            view.put('refreshTokens', hash, null)
          view.put('refreshTokens', family.hash, family)
        }),
      ),
    find: (hash) => call('find', () => read((view) => view.get('refreshTokens', hash))),
    follow: (hash, secretHash, next) =>
      call('follow', () =>
        change((view) => {
          const found = view.get('refreshTokens', hash)
          if (found?.secretHash !== secretHash) return false
          view.put('refreshTokens', hash, { ...found, ...next })
          return true
        }),
      ),
    end: (hash) => call('end', () => change((view) => view.put('refreshTokens', hash, null))),
  }
}
