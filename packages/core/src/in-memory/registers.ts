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
import type { Leases } from '../ports/unit-of-work.js'
import { portOf } from '../ports/port-failure.js'
import { compareCodePoints, isSameJson } from '../values/compare.js'
import { type Instant, plusSeconds } from '../values/instant.js'

const inOrder = <Row>(rows: Iterable<Row>, name: (row: Row) => string): Row[] =>
  [...rows].sort((left, right) => compareCodePoints(name(left), name(right)))

/** Whether the organisation may use a team that is bound to these organisations; a team that is bound to none is open to all. */
const isOpenTo = (bound: ReadonlySet<string> | undefined, organisation: string): boolean =>
  bound !== undefined && (bound.size === 0 || bound.has(organisation))

const inMemoryOperationsTeams = (organisations: ReadonlyMap<string, Organisation>): OperationsTeams => {
  const bindings = new Map<string, Set<string>>()
  const teamOf = ([name, bound]: readonly [string, ReadonlySet<string>]): OperationsTeam => ({
    name,
    organisations: inOrder(bound, (code) => code),
  })
  const listed = (teams: Iterable<[string, ReadonlySet<string>]>): readonly OperationsTeam[] =>
    inOrder(teams, ([name]) => name).map(teamOf)
  return portOf('operationsTeams', {
    create: async (name) => {
      if (bindings.has(name)) return 'name_taken'
      bindings.set(name, new Set())
      return 'created'
    },
    exists: async (name, organisation) => isOpenTo(bindings.get(name), organisation),
    bind: async (name, organisation) => {
      const bound = bindings.get(name)
      if (bound === undefined) return 'team_does_not_exist'
      if (!organisations.has(organisation)) return 'organisation_does_not_exist'
      bound.add(organisation)
      return 'bound'
    },
    unbind: async (name, organisation) => bindings.get(name)?.delete(organisation) ?? false,
    list: async (organisation) => listed([...bindings].filter(([, bound]) => isOpenTo(bound, organisation))),
    listAll: async () => listed(bindings),
  })
}

const inMemoryOrganisations = (rows: Map<string, Organisation>): Organisations => {
  const change = (code: string, changed: (found: Organisation) => Instant | undefined): boolean => {
    const found = rows.get(code)
    if (found !== undefined) rows.set(code, { ...found, disabledAt: changed(found) })
    return found !== undefined
  }
  return portOf('organisations', {
    create: async (organisation) => {
      if (rows.has(organisation.code)) return 'code_taken'
      rows.set(organisation.code, organisation)
      return 'created'
    },
    find: async (code) => rows.get(code),
    disable: async (code, at) => change(code, ({ disabledAt }) => disabledAt ?? at),
    enable: async (code) => change(code, () => undefined),
    list: async () => inOrder(rows.values(), ({ code }) => code),
  })
}

const withoutRevision = ({ revision: _revision, ...supplier }: FoundSupplier): ImportSupplier => supplier

const inMemoryImportSuppliers = (organisations: ReadonlyMap<string, Organisation>): ImportSuppliers => {
  const rows = new Map<string, FoundSupplier>()
  const change = (code: string, changed: Partial<FoundSupplier>): boolean => {
    const found = rows.get(code)
    if (found !== undefined) rows.set(code, { ...found, ...changed })
    return found !== undefined
  }
  const listed = (found: Iterable<FoundSupplier>): readonly ImportSupplier[] =>
    inOrder(found, ({ code }) => code).map(withoutRevision)
  return portOf('importSuppliers', {
    find: async (organisation, code) => {
      const found = rows.get(code)
      return found?.organisation === organisation ? found : undefined
    },
    findByCode: async (code) => {
      const found = rows.get(code)
      return found && withoutRevision(found)
    },
    create: async (supplier) => {
      if (rows.has(supplier.code)) return 'code_taken'
      if (!organisations.has(supplier.organisation)) return 'organisation_does_not_exist'
      rows.set(supplier.code, { ...supplier, revision: '1' })
      return 'created'
    },
    setStatus: async (code, status) => change(code, { status }),
    saveSettings: async (code, before, settings) => {
      const found = rows.get(code)
      if (found === undefined) return 'does_not_exist'
      if (!isSameJson(JSON.stringify(found.settings), JSON.stringify(before))) return 'changed_meanwhile'
      change(code, { settings, revision: String(Number(found.revision) + 1) })
      return 'saved'
    },
    list: async (organisation) =>
      listed([...rows.values()].filter((found) => found.organisation === organisation)),
    listAll: async () => listed(rows.values()),
  })
}

const inMemoryApiKeys = (organisations: ReadonlyMap<string, Organisation>): ApiKeys => {
  const rows = new Map<string, ApiKeyRecord>()
  const change = (id: string, changed: (found: ApiKeyRecord) => Partial<ApiKeyRecord>): boolean => {
    const found = rows.get(id)
    if (found !== undefined) rows.set(id, { ...found, ...changed(found) })
    return found !== undefined
  }
  return portOf('apiKeys', {
    create: async (record) => {
      if (!organisations.has(record.organisation)) return 'organisation_does_not_exist'
      rows.set(record.id, record)
      return 'created'
    },
    find: async (id) => {
      const found = rows.get(id)
      if (found === undefined) return undefined
      const isOrganisationDisabled = organisations.get(found.organisation)?.disabledAt !== undefined
      return { ...found, isOrganisationDisabled }
    },
    revoke: async (id, at) => change(id, ({ revokedAt }) => ({ revokedAt: revokedAt ?? at })),
    rotate: async (id, replacement, endsAt) => {
      const found = rows.get(id)
      if (found?.organisation !== replacement.organisation || found.revokedAt !== undefined) return false
      const endsBefore = found.expiresAt !== undefined && found.expiresAt < endsAt
      if (!endsBefore) rows.set(id, { ...found, expiresAt: endsAt })
      rows.set(replacement.id, replacement)
      return true
    },
    revokeAll: async (organisation, at) => {
      const living = [...rows.values()].filter(
        (row) => row.organisation === organisation && row.revokedAt === undefined,
      )
      for (const row of living) rows.set(row.id, { ...row, revokedAt: at })
      return living.length
    },
    noteUse: async (id, at, since) => {
      const { lastUsedAt } = rows.get(id) ?? {}
      if (lastUsedAt === undefined || lastUsedAt <= since) change(id, () => ({ lastUsedAt: at }))
    },
    list: async () => inOrder(rows.values(), ({ createdAt, id }) => `${createdAt} ${id}`),
  })
}

const inMemoryLeases = (): Leases => {
  const held = new Map<string, Readonly<{ token: string; endsAt: Instant }>>()
  return portOf('leases', {
    take: async ({ job, token, at, endsAt }) => {
      const last = held.get(job)
      if (last !== undefined && last.token !== token && last.endsAt > at) return false
      held.set(job, { token, endsAt })
      return true
    },
  })
}

const windowSeconds = 60
const mostSubjects = 100_000
/** More than any limit that is checked, so that one subject cannot fill the memory. */
const mostTimes = 100

/** Counts in this process. Bounded: with very many subjects, those that failed longest ago are removed. */
export const inMemoryFailedAttempts = (): FailedAttempts => {
  const bySubject = new Map<string, readonly Instant[]>()
  const recent = (subject: string, at: Instant): readonly Instant[] => {
    const since = plusSeconds(at, -windowSeconds)
    return (bySubject.get(subject) ?? []).filter((time) => time > since)
  }
  return portOf('failedAttempts', {
    record: async (subject, at) => {
      const times = [...recent(subject, at), at].slice(-mostTimes)
      bySubject.delete(subject)
      bySubject.set(subject, times)
      const [oldest] = bySubject.keys()
      if (bySubject.size > mostSubjects && oldest !== undefined) bySubject.delete(oldest)
      return times.length
    },
    recent: async (subject, at) => recent(subject, at).length,
  })
}

/** Families that a call checks for expiry: few, so that no call takes long. */
const mostPurged = 20

/** Removes the expired rows among the oldest ones. */
const purge = <Row>(rows: Map<string, Row>, endOf: (row: Row) => Instant, at: Instant): void => {
  let seen = 0
  for (const [hash, row] of rows) {
    if (endOf(row) < at) rows.delete(hash)
    seen += 1
    if (seen === mostPurged) return
  }
}

/** The other families of a key, in descending order of their end. */
const othersOf = (
  rows: ReadonlyMap<string, RefreshTokenFamily>,
  { apiKeyId, hash }: RefreshTokenFamily,
): readonly RefreshTokenFamily[] =>
  [...rows.values()]
    .filter((row) => row.apiKeyId === apiKeyId && row.hash !== hash)
    .sort((left, right) => compareCodePoints(right.endsAt, left.endsAt))

const inMemoryRefreshTokens = (): RefreshTokens => {
  const rows = new Map<string, RefreshTokenFamily>()
  /** Ended families, by hash, with the time until which they are kept. */
  const ended = new Map<string, Instant>()
  return portOf('refreshTokens', {
    begin: async (family, at, mostOthers) => {
      purge(rows, ({ expiresAt }) => expiresAt, at)
      purge(ended, (until) => until, at)
      rows.set(family.hash, family)
      for (const { hash } of othersOf(rows, family).slice(mostOthers)) rows.delete(hash)
    },
    find: async (hash) => rows.get(hash),
    follow: async (hash, secretHash, next) => {
      const found = rows.get(hash)
      if (found?.secretHash !== secretHash) return false
      rows.set(hash, { ...found, ...next })
      return true
    },
    end: async (hash, until) => {
      if (rows.delete(hash)) ended.set(hash, until)
    },
    hasEnded: async (hash) => ended.has(hash),
  })
}

/** The registers of the operator, and the leases, counts and tokens of servers and clients. */
export const inMemoryRegisters = () => {
  const organisations = new Map<string, Organisation>()
  return {
    apiKeys: inMemoryApiKeys(organisations),
    importSuppliers: inMemoryImportSuppliers(organisations),
    operationsTeams: inMemoryOperationsTeams(organisations),
    organisations: inMemoryOrganisations(organisations),
    failedAttempts: inMemoryFailedAttempts(),
    leases: inMemoryLeases(),
    refreshTokens: inMemoryRefreshTokens(),
  }
}
