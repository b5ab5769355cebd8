import type { ImportSupplier } from '../domain/import-supplier.js'
import type { ApiKeyRecord, ApiKeys } from '../ports/api-keys.js'
import type { FoundSupplier, ImportSuppliers } from '../ports/import-suppliers.js'
import type { OperationsTeams } from '../ports/operations-teams.js'
import type { Organisation, Organisations } from '../ports/organisations.js'
import { portCall } from '../ports/port-failure.js'
import type { RefreshTokenFamily, RefreshTokens } from '../ports/refresh-tokens.js'
import type { Instant } from '../values/instant.js'
import { compareCodePoints } from '../values/compare-code-points.js'
import type { Memory } from './memory.js'

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

/** The supplier, if it belongs to the organisation. */
export const supplierIn = (
  rows: Memory['suppliers'],
  organisation: string,
  code: string,
): FoundSupplier | undefined => {
  const found = rows.get(code)
  if (found?.organisation !== organisation) return undefined
  return { ...found, revision: JSON.stringify([found.status, found.settings]) }
}

export const inMemoryImportSuppliers = (
  rows: Memory['suppliers'],
  organisations: ReadonlyMap<string, Organisation>,
): ImportSuppliers => {
  const call = portCall('importSuppliers')
  const change = (code: string, changed: Partial<ImportSupplier>): boolean => {
    const found = rows.get(code)
    if (found !== undefined) rows.set(code, { ...found, ...changed })
    return found !== undefined
  }
  return {
    find: (organisation, code) => call('find', async () => supplierIn(rows, organisation, code)),
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

/** How many families a call looks at to remove them: few, so that no call takes long. */
const mostPurged = 20

/** Removes families whose latest token has ended among those that have been there longest. */
const purge = (rows: Map<string, RefreshTokenFamily>, at: Instant): void => {
  let seen = 0
  for (const [hash, { expiresAt }] of rows) {
    if (expiresAt < at) rows.delete(hash)
    seen += 1
    if (seen === mostPurged) return
  }
}

/** The families of a key apart from one, those first that end last. */
const othersOf = (
  rows: ReadonlyMap<string, RefreshTokenFamily>,
  { apiKeyId, hash }: RefreshTokenFamily,
): readonly RefreshTokenFamily[] =>
  [...rows.values()]
    .filter((row) => row.apiKeyId === apiKeyId && row.hash !== hash)
    .sort((left, right) => compareCodePoints(right.endsAt, left.endsAt))

export const inMemoryRefreshTokens = (): RefreshTokens => {
  const rows = new Map<string, RefreshTokenFamily>()
  const call = portCall('refreshTokens')
  return {
    begin: (family, at, mostOthers) =>
      call('begin', async () => {
        purge(rows, at)
        rows.set(family.hash, family)
        for (const { hash } of othersOf(rows, family).slice(mostOthers)) rows.delete(hash)
      }),
    find: (hash) => call('find', async () => rows.get(hash)),
    follow: (hash, secretHash, next) =>
      call('follow', async () => {
        const found = rows.get(hash)
        if (found?.secretHash !== secretHash) return false
        rows.set(hash, { ...found, ...next })
        return true
      }),
    end: (hash) =>
      call('end', async () => {
        rows.delete(hash)
      }),
  }
}
