import { optional, struct, term } from '../../codec/index.js'
import { pipe, type TaskEither, TE } from '../../fp.js'
import { type ApiKeyRecord, type Scope, usualScopes } from '../../ports/access.js'
import type { Ports } from '../../ports/index.js'
import type { PortFailure, PortResult } from '../../ports/port-failure.js'
import { hashOf } from '../../ports/secrets.js'
import { apiKeyText } from '../../values/api-key.js'
import { earlier, type Instant, plusSeconds } from '../../values/instant.js'
import { hasEnded } from '../authentication/authenticate.js'
import type { OperatorRefusal, UseCaseResult } from '../errors.js'
import { checkInput, orDoesNotExist } from './check-input.js'

/** API keys, which belong to an organisation. */
export type ApiKeyUseCases = Readonly<{
  /**
   * `apiKey` is shown this once. It ends after 365 days unless `expiresAt` says otherwise; `name` has 1 to 100 characters. Without
   * `scopes` it may do everything but take created accounts back (`undo`).
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
   * more), 24 hours when absent, unless it ends before. `apiKey` is shown this once; `previous` ends at `previousEndsAt`.
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

type KeyPorts = Pick<Ports, 'apiKeys' | 'secrets' | 'clock' | 'settings'>

type Refusable<A> = TaskEither<OperatorRefusal | PortFailure, A>

/** Long enough to tell the client and to see it use the new key. */
const usualOverlapSeconds = 24 * 60 * 60

const livingKey = ({ apiKeys, clock }: KeyPorts, id: string): Refusable<ApiKeyRecord> =>
  pipe(
    apiKeys.find(id),
    TE.flatMap(orDoesNotExist('API key', id)),
    TE.filterOrElseW(
      (record) => !hasEnded(record, clock.now()),
      (): OperatorRefusal => ({ _tag: 'ApiKeyHasEnded', id }),
    ),
  )

const idLength = 12

/** A key that nobody thinks of any more does not stay good for ever. */
const usualSeconds = 365 * 24 * 60 * 60

const endOf = (now: Instant, expiresAt: Instant | 'never' | undefined): Instant | undefined => {
  if (expiresAt === 'never') return undefined
  return expiresAt ?? plusSeconds(now, usualSeconds)
}

const naming = struct('API key', { name: optional(term(100)) })

const store =
  ({ apiKeys }: KeyPorts) =>
  (record: ApiKeyRecord): TaskEither<OperatorRefusal | PortFailure, void> =>
    pipe(
      apiKeys.create(record),
      TE.flatMap((outcome): TaskEither<OperatorRefusal, void> =>
        outcome === 'created'
          ? TE.right(undefined)
          : TE.left({ _tag: 'DoesNotExist', subject: 'organisation', name: record.organisation }),
      ),
    )

/** A key that is not stored yet, and its text; only a hash of its secret is in the record. */
const newApiKey = (
  ports: KeyPorts,
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

export const apiKeyUseCases = (ports: KeyPorts): ApiKeyUseCases => ({
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
