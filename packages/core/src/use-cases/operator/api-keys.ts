import { optional, struct, term } from '../../codec/index.js'
import { scopes as everyScope } from '../../domain/scope.js'
import { pipe, type TaskEither, TE } from '../../fp.js'
import type { ApiKeyRecord } from '../../ports/api-keys.js'
import type { Ports } from '../../ports/index.js'
import type { PortFailure, PortResult } from '../../ports/port-failure.js'
import { type ApiKey, apiKeyText } from '../../values/api-key.js'
import { type Instant, plusSeconds } from '../../values/instant.js'
import { hasEnded } from '../authentication/authenticate.js'
import { hashOf } from '../authentication/present-credentials.js'
import type { OperatorRefusal } from '../errors.js'
import type { OperatorUseCases } from '../operator-signatures.js'
import { checkInput, orDoesNotExist } from './check-input.js'

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

const earlier = (one: Instant, other: Instant | undefined): Instant =>
  other !== undefined && other < one ? other : one

/** Replaces a key by another one that may do the same, and lets the old one live on for as long as clients need to change. */
export const rotateApiKey =
  (ports: KeyPorts): OperatorUseCases['rotateApiKey'] =>
  ({ id, overlapSeconds = usualOverlapSeconds, expiresAt }) =>
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
    )

type KeyPorts = Pick<Ports, 'apiKeys' | 'secrets' | 'clock' | 'settings'>

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
    TE.map((id): ApiKey => ({ id: id.slice(0, idLength), secret: ports.secrets.generate() })),
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

/** Issues a key. Only a hash of its secret is kept. */
export const createApiKey =
  (ports: KeyPorts): OperatorUseCases['createApiKey'] =>
  ({ organisation, name, scopes, expiresAt }) =>
    pipe(
      checkInput(ports)(naming, name === undefined ? {} : { name }),
      TE.flatMap(() =>
        newApiKey(ports, {
          organisation,
          name,
          scopes: scopes ?? everyScope,
          expiresAt: endOf(ports.clock.now(), expiresAt),
        }),
      ),
      TE.tap(({ record }) => store(ports)(record)),
    )

export const listApiKeys =
  ({ apiKeys }: Pick<KeyPorts, 'apiKeys'>): OperatorUseCases['listApiKeys'] =>
  () =>
    apiKeys.list()

/** Ends a key; tokens obtained with it stop working within 60 seconds. */
export const revokeApiKey =
  ({ apiKeys, clock }: KeyPorts): OperatorUseCases['revokeApiKey'] =>
  (id) =>
    pipe(
      apiKeys.revoke(id, clock.now()),
      TE.flatMap((found): TaskEither<OperatorRefusal, Readonly<{ id: string }>> =>
        found ? TE.right({ id }) : TE.left({ _tag: 'DoesNotExist', subject: 'API key', name: id }),
      ),
    )
