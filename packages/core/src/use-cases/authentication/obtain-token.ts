import { pipe, TE, type TaskEither } from '../../fp.js'
import type { ApiKeyRecord } from '../../ports/api-keys.js'
import type { Ports } from '../../ports/index.js'
import type { PortFailure } from '../../ports/port-failure.js'
import { parseApiKey } from '../../values/api-key.js'
import type { AuthenticationFailed, TooManyAttempts } from '../errors.js'
import type { Credentials, UseCases } from '../signatures.js'
import { issueTokens } from './issue-tokens.js'
import { keyOfApiKey, keyOfRefreshToken, type CredentialPorts } from './present-credentials.js'

type ObtainPorts = CredentialPorts & Pick<Ports, 'accessTokens' | 'failedAttempts'>

const tooMany: TooManyAttempts = { _tag: 'TooManyAttempts', retryAfterSeconds: 60 }

/** Attempts that may fail within a minute before further ones are refused, by client address and by key. */
const mostFailures = { address: 10, key: 5 }

const subjectsOf = (credentials: Credentials, address: string) => {
  const id = 'apiKey' in credentials ? parseApiKey(credentials.apiKey)?.id : undefined
  return [
    { subject: `address:${address}`, most: mostFailures.address },
    ...(id === undefined ? [] : [{ subject: `key:${id}`, most: mostFailures.key }]),
  ]
}

type Subjects = ReturnType<typeof subjectsOf>

const refuseAfterTooMany =
  ({ failedAttempts, clock }: ObtainPorts) =>
  (subjects: Subjects): TaskEither<TooManyAttempts | PortFailure, unknown> =>
    pipe(
      subjects,
      TE.traverseArray(({ subject, most }) =>
        pipe(
          failedAttempts.recent(subject, clock.now()),
          TE.filterOrElseW(
            (failures) => failures < most,
            () => tooMany,
          ),
        ),
      ),
    )

/** Attempts made at the same time all pass the first check, so each is checked again by its own number. */
const countFailure =
  ({ failedAttempts, clock }: ObtainPorts, subjects: Subjects) =>
  (
    failure: AuthenticationFailed | PortFailure,
  ): TaskEither<AuthenticationFailed | TooManyAttempts | PortFailure, ApiKeyRecord> =>
    failure._tag === 'PortFailure'
      ? TE.left(failure)
      : pipe(
          subjects,
          TE.traverseArray(({ subject, most }) =>
            pipe(
              failedAttempts.record(subject, clock.now()),
              TE.map((failures) => failures <= most),
            ),
          ),
          TE.flatMap((within) => TE.left(within.every(Boolean) ? failure : tooMany)),
        )

/** Exchanges an API key or a refresh token for new tokens (docs/reference/api.md#authentication). */
export const obtainToken =
  (ports: ObtainPorts): UseCases['obtainToken'] =>
  ({ credentials, address }) => {
    const subjects = subjectsOf(credentials, address)
    const present =
      'apiKey' in credentials
        ? keyOfApiKey(ports)(credentials.apiKey)
        : keyOfRefreshToken(ports)(credentials.refreshToken)
    return pipe(
      refuseAfterTooMany(ports)(subjects),
      TE.flatMap(() => pipe(present, TE.orElseW(countFailure(ports, subjects)))),
      TE.flatMap((record) => issueTokens(ports)(record)),
    )
  }
