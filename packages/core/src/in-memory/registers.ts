import type { ImportSupplier } from '../domain/import-supplier.js'
import type { ApiKeyRecord, ApiKeys } from '../ports/api-keys.js'
import type { ImportSuppliers } from '../ports/import-suppliers.js'
import type { OperationsTeams } from '../ports/operations-teams.js'
import type { Organisation, Organisations } from '../ports/organisations.js'
import { portCall } from '../ports/port-failure.js'
import type { RefreshTokenRecord, RefreshTokens } from '../ports/refresh-tokens.js'
import type { Instant } from '../values/instant.js'
import { compareCodePoints } from '../values/compare-code-points.js'

const inOrder = <Row>(rows: Iterable<Row>, name: (row: Row) => string): Row[] =>
  [...rows].sort((left, right) => compareCodePoints(name(left), name(right)))

const sortedEntries = (value: object): (readonly [string, unknown])[] =>
  Object.entries(value).sort(([left], [right]) => compareCodePoints(left, right))

/** Whether both are the same JSON value, whatever the order of keys. */
const sameJson = (left: unknown, right: unknown): boolean => {
  const inKeyOrder = (_key: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(sortedEntries(value))
      : value
  return JSON.stringify(left, inKeyOrder) === JSON.stringify(right, inKeyOrder)
}

export const inMemoryOrganisations = (rows: Map<string, Organisation>): Organisations => {
  const call = portCall('organisations')
  return {
    create: (organisation) =>
      call('create', async () => {
        if (rows.has(organisation.code)) return 'code_taken'
        rows.set(organisation.code, organisation)
        return 'created'
      }),
    find: (code) => call('find', async () => rows.get(code)),
    list: () => call('list', async () => inOrder(rows.values(), ({ code }) => code)),
  }
}

export const inMemoryImportSuppliers = (
  organisations: ReadonlyMap<string, Organisation>,
): ImportSuppliers => {
  const rows = new Map<string, ImportSupplier>()
  const call = portCall('importSuppliers')
  const change = (code: string, changed: Partial<ImportSupplier>): boolean => {
    const found = rows.get(code)
    if (found !== undefined) rows.set(code, { ...found, ...changed })
    return found !== undefined
  }
  return {
    find: (organisation, code) =>
      call('find', async () => {
        const found = rows.get(code)
        return found?.organisation === organisation ? found : undefined
      }),
    findByCode: (code) => call('findByCode', async () => rows.get(code)),
    create: (supplier) =>
      call('create', async () => {
        if (rows.has(supplier.code)) return 'code_taken'
        if (!organisations.has(supplier.organisation)) return 'organisation_does_not_exist'
        rows.set(supplier.code, supplier)
        return 'created'
      }),
    setStatus: (code, status) => call('setStatus', async () => change(code, { status })),
    saveSettings: (code, before, settings) =>
      call('saveSettings', async () => {
        const found = rows.get(code)
        if (found === undefined) return 'does_not_exist'
        if (!sameJson(found.settings, before)) return 'changed_meanwhile'
        change(code, { settings })
        return 'saved'
      }),
    list: () => call('list', async () => inOrder(rows.values(), ({ code }) => code)),
  }
}

export const inMemoryOperationsTeams = (): OperationsTeams => {
  const names = new Set<string>()
  const call = portCall('operationsTeams')
  return {
    create: (name) =>
      call('create', async () => {
        if (names.has(name)) return 'name_taken'
        names.add(name)
        return 'created'
      }),
    exists: (name) => call('exists', async () => names.has(name)),
    list: () => call('list', async () => inOrder(names, (name) => name)),
  }
}

export const inMemoryApiKeys = (organisations: ReadonlyMap<string, Organisation>): ApiKeys => {
  const rows = new Map<string, ApiKeyRecord>()
  const call = portCall('apiKeys')
  return {
    create: (record) =>
      call('create', async () => {
        if (!organisations.has(record.organisation)) return 'organisation_does_not_exist'
        rows.set(record.id, record)
        return 'created'
      }),
    find: (id) => call('find', async () => rows.get(id)),
    revoke: (id, at) =>
      call('revoke', async () => {
        const found = rows.get(id)
        if (found !== undefined) rows.set(id, { ...found, revokedAt: found.revokedAt ?? at })
        return found !== undefined
      }),
    list: () => call('list', async () => inOrder(rows.values(), ({ createdAt, id }) => `${createdAt} ${id}`)),
  }
}

/** How many tokens a call looks at to remove them: few, so that no call takes long. */
const mostPurged = 20

/** Removes ended tokens among the oldest ones. The oldest end first, unless the end of their key comes before. */
const purge = (rows: Map<string, RefreshTokenRecord>, at: Instant): void => {
  let seen = 0
  for (const [hash, { expiresAt }] of rows) {
    if (expiresAt < at) rows.delete(hash)
    seen += 1
    if (seen === mostPurged) return
  }
}

export const inMemoryRefreshTokens = (): RefreshTokens => {
  const rows = new Map<string, RefreshTokenRecord>()
  const call = portCall('refreshTokens')
  return {
    save: (record, at) =>
      call('save', async () => {
        purge(rows, at)
        rows.set(record.hash, record)
      }),
    find: (hash) => call('find', async () => rows.get(hash)),
    consume: (hash, at) =>
      call('consume', async () => {
        const consumed = rows.delete(hash)
        purge(rows, at)
        return consumed
      }),
  }
}
