import { optional, required, struct, term } from '../codec/index.js'
import { E, type Either, pipe } from '../fp.js'
import { operationsTeamName, organisationCode } from '../payloads/identifiers.js'
import { type ApiKeyRecord, type Scope, usualScopes } from '../ports/access.js'
import type { Ports } from '../ports/index.js'
import type { PortResult } from '../ports/port-failure.js'
import type { OperationsTeam, Organisation } from '../ports/registers.js'
import { hashOf } from '../ports/secrets.js'
import { apiKeyText } from '../values/api-key.js'
import { earlier, type Instant, plusSeconds } from '../values/instant.js'
import { hasEnded } from '../access/authenticate.js'
import { checkInput, orDoesNotExist } from '../checking/check-payload.js'
import type { OperatorRefusal, UseCaseResult } from '../checking/errors.js'
import { inSequence } from '../lists/lists.js'
import type { Abouts } from './about.js'

/** The tenants of the service, the operations teams that they may use, and their API keys. */
export type OrganisationUseCases = Readonly<{
  /** Suppliers and API keys belong to an organisation, so this call is the first. `code`: at most 32 characters. */
  createOrganisation(
    input: Readonly<{ code: string; name?: string }>,
  ): UseCaseResult<OperatorRefusal, Organisation>
  listOrganisations(): UseCaseResult<never, readonly Organisation[]>
  /** All its keys and tokens are refused, after at most 60 seconds, until it is enabled again; its data is kept. */
  disableOrganisation(code: string): UseCaseResult<OperatorRefusal, Organisation>
  enableOrganisation(code: string): UseCaseResult<OperatorRefusal, Organisation>
  /** Revokes all its keys permanently; its tokens are refused after at most 60 seconds. */
  revokeOrganisation(
    code: string,
  ): UseCaseResult<OperatorRefusal, Readonly<{ code: string; revokedKeys: number }>>
  /** Accounts are created for a team: `operations_team_name` of `processAccount`. */
  createTeam(name: string): UseCaseResult<OperatorRefusal, Readonly<{ name: string }>>
  listTeams(): UseCaseResult<never, readonly OperationsTeam[]>
  /** Only organisations that a team is bound to may use it; a team that is bound to none is open to all. */
  bindTeam(
    binding: Readonly<{ name: string; organisation: string }>,
  ): UseCaseResult<OperatorRefusal, OperationsTeam>
  /** Changes nothing if the team is not bound to the organisation. */
  unbindTeam(
    binding: Readonly<{ name: string; organisation: string }>,
  ): UseCaseResult<OperatorRefusal, OperationsTeam>
  /**
   * `apiKey` is shown only once. It ends at `expiresAt`, after 365 days when absent; `name` has 1 to 100 characters. Without
   * `scopes` it has all scopes except `undo`.
   */
  createApiKey(
    input: Readonly<{
      organisation: string
      name?: string
      scopes?: readonly Scope[]
      expiresAt?: Instant | 'never'
    }>,
  ): UseCaseResult<OperatorRefusal, Readonly<{ apiKey: string; record: ApiKeyRecord }>>
  listApiKeys(): UseCaseResult<never, readonly ApiKeyRecord[]>
  /**
   * Issues a key for the same organisation, with the same name and scopes, and ends the old one after `overlapSeconds` (0 or
   * more), 24 hours when absent, unless it ends before. `apiKey` is shown only once; `previous` ends at `previousEndsAt`.
   */
  rotateApiKey(
    input: Readonly<{ id: string; overlapSeconds?: number; expiresAt?: Instant | 'never' }>,
  ): UseCaseResult<
    OperatorRefusal,
    Readonly<{
      apiKey: string
      record: ApiKeyRecord
      previous: string
      previousEndsAt: Instant
    }>
  >
  revokeApiKey(id: string): UseCaseResult<OperatorRefusal, Readonly<{ id: string }>>
}>

export const organisationsAbout: Abouts<OrganisationUseCases> = {
  createOrganisation: ({ code, name }) => ({ of: ['organisation', code], names: [code, name] }),
  listOrganisations: 'reads',
  disableOrganisation: (code) => ({ of: ['organisation', code], names: [code] }),
  enableOrganisation: (code) => ({ of: ['organisation', code], names: [code] }),
  revokeOrganisation: (code) => ({ of: ['organisation', code], names: [code] }),
  createTeam: (name) => ({ names: [name] }),
  listTeams: 'reads',
  bindTeam: ({ name, organisation }) => ({ organisation, names: [organisation, name] }),
  unbindTeam: ({ name, organisation }) => ({ organisation, names: [organisation, name] }),
  createApiKey: ({ name, organisation }) => ({ organisation, names: [organisation, name] }),
  listApiKeys: 'reads',
  rotateApiKey: ({ id }) => ({ of: ['key', id], names: [id] }),
  revokeApiKey: (id) => ({ of: ['key', id], names: [id] }),
}

type OrganisationPorts = Pick<
  Ports,
  'organisations' | 'operationsTeams' | 'apiKeys' | 'secrets' | 'clock' | 'settings'
>

type Changed = UseCaseResult<OperatorRefusal, Organisation>

const input = struct('organisation', { code: required(organisationCode), name: optional(term(255)) })

const existing = async ({ organisations }: OrganisationPorts, code: string): Changed =>
  pipe(await organisations.find(code), E.flatMap(orDoesNotExist('organisation', code)))

const teamInput = struct('operations team', { name: required(operationsTeamName) })

type BoundTeam = UseCaseResult<OperatorRefusal, OperationsTeam>

const noOrganisation = (name: string): OperatorRefusal => ({
  _tag: 'DoesNotExist',
  subject: 'organisation',
  name,
})

const noTeam = (name: string): OperatorRefusal => ({ _tag: 'DoesNotExist', subject: 'operations team', name })

const boundTeam = async ({ operationsTeams }: OrganisationPorts, name: string): BoundTeam =>
  pipe(
    await operationsTeams.listAll(),
    E.map((teams) => teams.find((team) => team.name === name)),
    E.flatMap(E.fromNullable(noTeam(name))),
  )

/** Enough time for the client to change to the new key. */
const usualOverlapSeconds = 24 * 60 * 60

const livingKey = async (
  { apiKeys, clock }: OrganisationPorts,
  id: string,
): UseCaseResult<OperatorRefusal, ApiKeyRecord> =>
  pipe(
    await apiKeys.find(id),
    E.flatMap(orDoesNotExist('API key', id)),
    E.flatMap((record): Either<OperatorRefusal, ApiKeyRecord> =>
      hasEnded(record, clock.now()) ? E.left({ _tag: 'ApiKeyHasEnded', id }) : E.right(record),
    ),
  )

const idLength = 12

/** Forgotten keys expire. */
const usualSeconds = 365 * 24 * 60 * 60

const endOf = (now: Instant, expiresAt: Instant | 'never' | undefined): Instant | undefined => {
  if (expiresAt === 'never') return undefined
  return expiresAt ?? plusSeconds(now, usualSeconds)
}

const naming = struct('API key', { name: optional(term(100)) })

/** The text of a new key, and its record, which contains only a hash of its secret. */
const newApiKey = async (
  ports: OrganisationPorts,
  granted: Pick<ApiKeyRecord, 'organisation' | 'name' | 'scopes' | 'expiresAt'>,
): PortResult<Readonly<{ apiKey: string; record: ApiKeyRecord }>> => {
  const hash = await hashOf(ports, ports.secrets.generate())
  if (E.isLeft(hash)) return hash
  const key = { id: hash.right.slice(0, idLength), secret: ports.secrets.generate() }
  return pipe(
    await hashOf(ports, key.secret),
    E.map((secretHash) => ({
      apiKey: apiKeyText(key),
      record: {
        ...granted,
        id: key.id,
        secretHash,
        createdAt: ports.clock.now(),
        revokedAt: undefined,
        lastUsedAt: undefined,
      },
    })),
  )
}

export const organisationUseCases = (ports: OrganisationPorts): OrganisationUseCases => ({
  createOrganisation: async (raw) => {
    const checked = checkInput(ports)(input, raw)
    if (E.isLeft(checked)) return checked
    const { code, name } = checked.right
    const organisation = { code, name: name ?? code, createdAt: ports.clock.now(), disabledAt: undefined }
    const outcome = await ports.organisations.create(organisation)
    if (E.isLeft(outcome)) return outcome
    return outcome.right === 'created'
      ? E.right(organisation)
      : E.left({ _tag: 'AlreadyExists', subject: 'organisation', name: code })
  },
  listOrganisations: () => ports.organisations.list(),
  disableOrganisation: (code) =>
    inSequence(
      () => ports.organisations.disable(code, ports.clock.now()),
      () => existing(ports, code),
    ),
  enableOrganisation: (code) =>
    inSequence(
      () => ports.organisations.enable(code),
      () => existing(ports, code),
    ),
  // Tokens end with their key, and a key cannot be unrevoked: there is nothing else to end.
  revokeOrganisation: async (code) =>
    pipe(
      await inSequence(
        () => existing(ports, code),
        () => ports.apiKeys.revokeAll(code, ports.clock.now()),
      ),
      E.map((revokedKeys) => ({ code, revokedKeys })),
    ),
  createTeam: async (raw) => {
    const checked = checkInput(ports)(teamInput, { name: raw })
    if (E.isLeft(checked)) return checked
    const { name } = checked.right
    const outcome = await ports.operationsTeams.create(name)
    if (E.isLeft(outcome)) return outcome
    return outcome.right === 'created'
      ? checked
      : E.left({ _tag: 'AlreadyExists', subject: 'operations team', name })
  },
  listTeams: () => ports.operationsTeams.listAll(),
  bindTeam: async ({ name, organisation }) => {
    const outcome = await ports.operationsTeams.bind(name, organisation)
    if (E.isLeft(outcome)) return outcome
    if (outcome.right === 'bound') return boundTeam(ports, name)
    return E.left(outcome.right === 'team_does_not_exist' ? noTeam(name) : noOrganisation(organisation))
  },
  unbindTeam: ({ name, organisation }) =>
    inSequence(
      () => ports.operationsTeams.unbind(name, organisation),
      () => boundTeam(ports, name),
    ),
  createApiKey: async ({ organisation, name, scopes = usualScopes, expiresAt }) => {
    const checked = checkInput(ports)(naming, name === undefined ? {} : { name })
    if (E.isLeft(checked)) return checked
    const granted = { organisation, name, scopes, expiresAt: endOf(ports.clock.now(), expiresAt) }
    const key = await newApiKey(ports, granted)
    if (E.isLeft(key)) return key
    const outcome = await ports.apiKeys.create(key.right.record)
    if (E.isLeft(outcome)) return outcome
    return outcome.right === 'created' ? key : E.left(noOrganisation(organisation))
  },
  listApiKeys: () => ports.apiKeys.list(),
  rotateApiKey: async ({ id, overlapSeconds = usualOverlapSeconds, expiresAt }) => {
    const old = await livingKey(ports, id)
    if (E.isLeft(old)) return old
    const { organisation, name, scopes } = old.right
    const previousEndsAt = earlier(plusSeconds(ports.clock.now(), overlapSeconds), old.right.expiresAt)
    const granted = { organisation, name, scopes, expiresAt: endOf(ports.clock.now(), expiresAt) }
    const key = await newApiKey(ports, granted)
    if (E.isLeft(key)) return key
    const isRotated = await ports.apiKeys.rotate(id, key.right.record, previousEndsAt)
    if (E.isLeft(isRotated)) return isRotated
    return isRotated.right
      ? E.right({ ...key.right, previous: id, previousEndsAt })
      : E.left({ _tag: 'ApiKeyHasEnded', id })
  },
  revokeApiKey: async (id) => {
    const isFound = await ports.apiKeys.revoke(id, ports.clock.now())
    if (E.isLeft(isFound)) return isFound
    return isFound.right ? E.right({ id }) : E.left({ _tag: 'DoesNotExist', subject: 'API key', name: id })
  },
})
