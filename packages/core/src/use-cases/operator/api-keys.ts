import { scopes as everyScope } from '../../domain/scope.js'
import { pipe, TE, type TaskEither } from '../../fp.js'
import type { ApiKeyRecord } from '../../ports/api-keys.js'
import type { Ports } from '../../ports/index.js'
import { apiKeyText, type ApiKey } from '../../values/api-key.js'
import { hashOf } from '../authentication/present-credentials.js'
import type { OperatorRefusal } from '../errors.js'
import type { OperatorUseCases } from '../operator-signatures.js'

type KeyPorts = Pick<Ports, 'apiKeys' | 'secrets' | 'clock'>

const idLength = 12

const store =
  ({ apiKeys }: KeyPorts) =>
  (record: ApiKeyRecord) =>
    pipe(
      apiKeys.create(record),
      TE.flatMap((outcome): TaskEither<OperatorRefusal, void> =>
        outcome === 'created'
          ? TE.right(undefined)
          : TE.left({ _tag: 'DoesNotExist', subject: 'organisation', name: record.organisation }),
      ),
    )

/** Issues a key. Only a hash of its secret is kept. */
export const createApiKey =
  (ports: KeyPorts): OperatorUseCases['createApiKey'] =>
  ({ organisation, scopes, expiresAt }) =>
    pipe(
      TE.Do,
      TE.bind('id', () => hashOf(ports, ports.secrets.generate())),
      TE.let('key', ({ id }): ApiKey => ({ id: id.slice(0, idLength), secret: ports.secrets.generate() })),
      TE.bind('secretHash', ({ key }) => hashOf(ports, key.secret)),
      TE.map(({ key, secretHash }) => ({
        apiKey: apiKeyText(key),
        record: {
          id: key.id,
          organisation,
          secretHash,
          scopes: scopes ?? everyScope,
          createdAt: ports.clock.now(),
          expiresAt,
          revokedAt: undefined,
        },
      })),
      TE.tap(({ record }) => store(ports)(record)),
    )

export const listApiKeys =
  ({ apiKeys }: KeyPorts): OperatorUseCases['listApiKeys'] =>
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
