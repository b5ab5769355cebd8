import type { ImportSupplier } from '../domain/import-supplier.js'
import type {
  ApiKeyRecord,
  ApiKeys,
  FailedAttempts,
  RefreshTokenFamily,
  RefreshTokens,
} from '../ports/access.js'
import type {
  FoundSupplier,
  ImportSuppliers,
  OperationsTeam,
  OperationsTeams,
  Organisation,
  Organisations,
} from '../ports/registers.js'
import type { Lease, Leases } from '../ports/rates-and-leases.js'
import { portCall } from '../ports/port-failure.js'
import { compareCodePoints } from '../values/compare-code-points.js'
import { type Instant, plusSeconds } from '../values/instant.js'
import type { Memory } from './memory.js'

/** Whether there is the team, and the organisation may name it. */
export const teamIn = ({ teams }: Pick<Memory, 'teams'>, name: string, organisation: string): boolean => {
  const bound = teams.get(name)
  return bound !== undefined && (bound.size === 0 || bound.has(organisation))
}
const inOrder = <Row>(rows: Iterable<Row>, name: (row: Row) => string): Row[] =>
  [...rows].sort((left, right) => compareCodePoints(name(left), name(right)))

const inMemoryOperationsTeams = (
  memory: Pick<Memory, 'teams'>,
  organisations: ReadonlyMap<string, Organisation>,
): OperationsTeams => {
  const { teams: bindings } = memory
  const call = portCall('operationsTeams')
  const teamOf = ([name, bound]: readonly [string, ReadonlySet<string>]): OperationsTeam => ({
    name,
    organisations: inOrder(bound, (code) => code),
  })
  return {
    create: (name) =>
      call('create', async () => {
        if (bindings.has(name)) return 'name_taken'
        bindings.set(name, new Set())
        return 'created'
      }),
    exists: (name, organisation) => call('exists', async () => teamIn(memory, name, organisation)),
    bind: (name, organisation) =>
      call('bind', async () => {
        const bound = bindings.get(name)
        if (bound === undefined) return 'team_does_not_exist'
        if (!organisations.has(organisation)) return 'organisation_does_not_exist'
        bound.add(organisation)
        return 'bound'
      }),
    unbind: (name, organisation) =>
      call('unbind', async () => bindings.get(name)?.delete(organisation) ?? false),
    list: () => call('list', async () => inOrder(bindings, ([name]) => name).map(teamOf)),
  }
}

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

const inMemoryOrganisations = (rows: Map<string, Organisation>): Organisations => {
  const call = portCall('organisations')
  const change = (code: string, changed: (found: Organisation) => Instant | undefined): boolean => {
    const found = rows.get(code)
    if (found !== undefined) rows.set(code, { ...found, disabledAt: changed(found) })
    return found !== undefined
  }
  return {
    create: (organisation) =>
      call('create', async () => {
        if (rows.has(organisation.code)) return 'code_taken'
        rows.set(organisation.code, organisation)
        return 'created'
      }),
    find: (code) => call('find', async () => rows.get(code)),
    disable: (code, at) => call('disable', async () => change(code, ({ disabledAt }) => disabledAt ?? at)),
    enable: (code) => call('enable', async () => change(code, () => undefined)),
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

const inMemoryImportSuppliers = (
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

const inMemoryApiKeys = (organisations: ReadonlyMap<string, Organisation>): ApiKeys => {
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

const inMemoryLeases = (): Leases => {
  const held = new Map<string, Pick<Lease, 'token' | 'endsAt'>>()
  const call = portCall('leases')
  return {
    take: ({ job, token, at, endsAt }) =>
      call('take', async () => {
        const last = held.get(job)
        if (last !== undefined && last.token !== token && last.endsAt > at) return false
        held.set(job, { token, endsAt })
        return true
      }),
  }
}

const windowSeconds = 60
const mostSubjects = 100_000
/** More than any limit that is asked for, so that one subject cannot fill the memory. */
const mostTimes = 100

/** Counts in this process. Bounded: with very many subjects the ones that failed longest ago are forgotten. */
export const inMemoryFailedAttempts = (): FailedAttempts => {
  const bySubject = new Map<string, readonly Instant[]>()
  const call = portCall('failedAttempts')
  const recent = (subject: string, at: Instant): readonly Instant[] => {
    const since = plusSeconds(at, -windowSeconds)
    return (bySubject.get(subject) ?? []).filter((time) => time > since)
  }
  return {
    record: (subject, at) =>
      call('record', async () => {
        const times = [...recent(subject, at), at].slice(-mostTimes)
        bySubject.delete(subject)
        bySubject.set(subject, times)
        const [oldest] = bySubject.keys()
        if (bySubject.size > mostSubjects && oldest !== undefined) bySubject.delete(oldest)
        return times.length
      }),
    recent: (subject, at) => call('recent', async () => recent(subject, at).length),
  }
}

/** How many families a call looks at to remove them: few, so that no call takes long. */
const mostPurged = 20

/** Removes what has come to its end among those rows that have been there longest. */
const purge = <Row>(rows: Map<string, Row>, endOf: (row: Row) => Instant, at: Instant): void => {
  let seen = 0
  for (const [hash, row] of rows) {
    if (endOf(row) < at) rows.delete(hash)
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

const inMemoryRefreshTokens = (): RefreshTokens => {
  const rows = new Map<string, RefreshTokenFamily>()
  /** Until when it is known of each family that it was ended. */
  const ended = new Map<string, Instant>()
  const call = portCall('refreshTokens')
  return {
    begin: (family, at, mostOthers) =>
      call('begin', async () => {
        purge(rows, ({ expiresAt }) => expiresAt, at)
        purge(ended, (until) => until, at)
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
    end: (hash, until) =>
      call('end', async () => {
        if (rows.delete(hash)) ended.set(hash, until)
      }),
    hasEnded: (hash) => call('hasEnded', async () => ended.has(hash)),
  }
}

/** The registers that the operator keeps, and what servers and clients hold for a time. */
export const inMemoryRegisters = (memory: Pick<Memory, 'suppliers' | 'teams'>) => {
  const organisations = new Map<string, Organisation>()
  return {
    apiKeys: inMemoryApiKeys(organisations),
    importSuppliers: inMemoryImportSuppliers(memory.suppliers, organisations),
    operationsTeams: inMemoryOperationsTeams(memory, organisations),
    organisations: inMemoryOrganisations(organisations),
    failedAttempts: inMemoryFailedAttempts(),
    leases: inMemoryLeases(),
    refreshTokens: inMemoryRefreshTokens(),
  }
}
