import { optional, required, struct, term } from '../../codec/index.js'
import { pipe, type TaskEither, TE } from '../../fp.js'
import { operationsTeamName, organisationCode } from '../../payloads/identifiers.js'
import { type ApiKeyRecord, type Scope, usualScopes } from '../../ports/access.js'
import type { Ports } from '../../ports/index.js'
import type { PortResult } from '../../ports/port-failure.js'
import type { OperationsTeam, Organisation } from '../../ports/registers.js'
import { hashOf } from '../../ports/secrets.js'
import { apiKeyText } from '../../values/api-key.js'
import { earlier, type Instant, plusSeconds } from '../../values/instant.js'
import { hasEnded } from '../authentication/authenticate.js'
import { checkInput, orDoesNotExist } from '../check-payload.js'
import type { OperatorRefusal, UseCaseResult } from '../errors.js'

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

type OrganisationPorts = Pick<
  Ports,
  'organisations' | 'operationsTeams' | 'apiKeys' | 'secrets' | 'clock' | 'settings'
>

type Changed = UseCaseResult<OperatorRefusal, Organisation>

const input = struct('organisation', { code: required(organisationCode), name: optional(term(255)) })

const existing = ({ organisations }: OrganisationPorts, code: string): Changed =>
  pipe(organisations.find(code), TE.flatMap(orDoesNotExist('organisation', code)))

const teamInput = struct('operations team', { name: required(operationsTeamName) })

type BoundTeam = UseCaseResult<OperatorRefusal, OperationsTeam>

const noTeam = (name: string): OperatorRefusal => ({ _tag: 'DoesNotExist', subject: 'operations team', name })

const boundTeam = ({ operationsTeams }: OrganisationPorts, name: string): BoundTeam =>
  pipe(
    operationsTeams.list(),
    TE.map((teams) => teams.find((team) => team.name === name)),
    TE.flatMap((team): BoundTeam => (team === undefined ? TE.left(noTeam(name)) : TE.right(team))),
  )

/** Enough time for the client to change to the new key. */
const usualOverlapSeconds = 24 * 60 * 60

const livingKey = (
  { apiKeys, clock }: OrganisationPorts,
  id: string,
): UseCaseResult<OperatorRefusal, ApiKeyRecord> =>
  pipe(
    apiKeys.find(id),
    TE.flatMap(orDoesNotExist('API key', id)),
    TE.filterOrElseW(
      (record) => !hasEnded(record, clock.now()),
      (): OperatorRefusal => ({ _tag: 'ApiKeyHasEnded', id }),
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

const store =
  ({ apiKeys }: OrganisationPorts) =>
  (record: ApiKeyRecord): UseCaseResult<OperatorRefusal, void> =>
    pipe(
      apiKeys.create(record),
      TE.flatMap((outcome): TaskEither<OperatorRefusal, void> =>
        outcome === 'created'
          ? TE.right(undefined)
          : TE.left({ _tag: 'DoesNotExist', subject: 'organisation', name: record.organisation }),
      ),
    )

/** The text of a new key, and its record, which contains only a hash of its secret. */
const newApiKey = (
  ports: OrganisationPorts,
  granted: Pick<ApiKeyRecord, 'organisation' | 'name' | 'scopes' | 'expiresAt'>,
): PortResult<Readonly<{ apiKey: string; record: ApiKeyRecord }>> =>
  pipe(
    hashOf(ports, ports.secrets.generate()),
    TE.map((id) => ({ id: id.slice(0, idLength), secret: ports.secrets.generate() })),
    TE.bindTo('key'),
    TE.bind('secretHash', ({ key }) => hashOf(ports, key.secret)),
    TE.map(({ key, secretHash }) => ({
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

export const organisationUseCases = (ports: OrganisationPorts): OrganisationUseCases => ({
  createOrganisation: (raw) =>
    pipe(
      checkInput(ports)(input, raw),
      TE.map(({ code, name }): Organisation => ({
        code,
        name: name ?? code,
        createdAt: ports.clock.now(),
        disabledAt: undefined,
      })),
      TE.tap((organisation) =>
        pipe(
          ports.organisations.create(organisation),
          TE.flatMap((outcome): TaskEither<OperatorRefusal, void> =>
            outcome === 'created'
              ? TE.right(undefined)
              : TE.left({ _tag: 'AlreadyExists', subject: 'organisation', name: organisation.code }),
          ),
        ),
      ),
    ),
  listOrganisations: () => ports.organisations.list(),
  disableOrganisation: (code) =>
    pipe(
      ports.organisations.disable(code, ports.clock.now()),
      TE.flatMap(() => existing(ports, code)),
    ),
  enableOrganisation: (code) =>
    pipe(
      ports.organisations.enable(code),
      TE.flatMap(() => existing(ports, code)),
    ),
  // Tokens end with their key, and a key cannot be unrevoked: there is nothing else to end.
  revokeOrganisation: (code) =>
    pipe(
      existing(ports, code),
      TE.flatMap(() => ports.apiKeys.revokeAll(code, ports.clock.now())),
      TE.map((revokedKeys) => ({ code, revokedKeys })),
    ),
  createTeam: (raw) =>
    pipe(
      checkInput(ports)(teamInput, { name: raw }),
      TE.tap(({ name }) =>
        pipe(
          ports.operationsTeams.create(name),
          TE.flatMap((outcome): TaskEither<OperatorRefusal, void> =>
            outcome === 'created'
              ? TE.right(undefined)
              : TE.left({ _tag: 'AlreadyExists', subject: 'operations team', name }),
          ),
        ),
      ),
    ),
  listTeams: () => ports.operationsTeams.list(),
  bindTeam: ({ name, organisation }) =>
    pipe(
      ports.operationsTeams.bind(name, organisation),
      TE.flatMap((outcome): BoundTeam => {
        if (outcome === 'bound') return boundTeam(ports, name)
        return TE.left(
          outcome === 'team_does_not_exist'
            ? noTeam(name)
            : { _tag: 'DoesNotExist', subject: 'organisation', name: organisation },
        )
      }),
    ),
  unbindTeam: ({ name, organisation }) =>
    pipe(
      ports.operationsTeams.unbind(name, organisation),
      TE.flatMap(() => boundTeam(ports, name)),
    ),
  createApiKey: ({ organisation, name, scopes, expiresAt }) =>
    pipe(
      checkInput(ports)(naming, name === undefined ? {} : { name }),
      TE.flatMap(() =>
        newApiKey(ports, {
          organisation,
          name,
          scopes: scopes ?? usualScopes,
          expiresAt: endOf(ports.clock.now(), expiresAt),
        }),
      ),
      TE.tap(({ record }) => store(ports)(record)),
    ),
  listApiKeys: () => ports.apiKeys.list(),
  rotateApiKey: ({ id, overlapSeconds = usualOverlapSeconds, expiresAt }) =>
    pipe(
      livingKey(ports, id),
      TE.bindTo('old'),
      TE.let('endsAt', ({ old }) => earlier(plusSeconds(ports.clock.now(), overlapSeconds), old.expiresAt)),
      TE.bindW('made', ({ old: { organisation, name, scopes } }) =>
        newApiKey(ports, { organisation, name, scopes, expiresAt: endOf(ports.clock.now(), expiresAt) }),
      ),
      TE.tap(({ made, endsAt }) =>
        pipe(
          ports.apiKeys.rotate(id, made.record, endsAt),
          TE.filterOrElseW(
            (rotated) => rotated,
            (): OperatorRefusal => ({ _tag: 'ApiKeyHasEnded', id }),
          ),
        ),
      ),
      TE.map(({ made, endsAt }) => ({ ...made, previous: id, previousEndsAt: endsAt })),
    ),
  revokeApiKey: (id) =>
    pipe(
      ports.apiKeys.revoke(id, ports.clock.now()),
      TE.flatMap((found): TaskEither<OperatorRefusal, Readonly<{ id: string }>> =>
        found ? TE.right({ id }) : TE.left({ _tag: 'DoesNotExist', subject: 'API key', name: id }),
      ),
    ),
})
