import { pipe, TE, type TaskEither } from '../../fp.js'
import type { ApiKeyRecord } from '../../ports/api-keys.js'
import type { Ports } from '../../ports/index.js'
import type { PortFailure } from '../../ports/port-failure.js'
import type { TooManyAttempts } from '../errors.js'
import type { ObtainTokenRequest, UseCases } from '../signatures.js'
import { countFailure } from './count-failure.js'
import { issueTokens, type IssuePorts } from './issue-tokens.js'
import { keyOfApiKey, type CredentialPorts } from './present-credentials.js'
import { beforeRefusal, recordKeyUse, recordRefusal, type RecordLoginPorts } from './record-login.js'
import { renewTokens } from './renew-tokens.js'

type Obtained = ReturnType<UseCases['obtainToken']>
type ObtainPorts = CredentialPorts & IssuePorts & RecordLoginPorts & Pick<Ports, 'failedAttempts'>

/** Refuses a key that has asked too often, before it writes anything. */
const withinRate = (
  { secondsToWait }: ObtainTokenRequest,
  { id }: ApiKeyRecord,
): TaskEither<TooManyAttempts | PortFailure, void> =>
  secondsToWait === undefined
    ? TE.right(undefined)
    : pipe(
        TE.fromTask(() => secondsToWait(id)),
        TE.flatMap((retryAfterSeconds) =>
          retryAfterSeconds > 0
            ? TE.left<TooManyAttempts>({ _tag: 'TooManyAttempts', retryAfterSeconds })
            : TE.right(undefined),
        ),
      )

/**
 * Exchanges an API key or a refresh token for new tokens (docs/reference/api.md#authentication). Credentials are verified
 * first: right ones are taken, however many wrong ones came before, as 256 random bits are not guessed. A login is recorded
 * before there are tokens; what failed is, as long as failures are counted, so that a flood writes nothing.
 */
export const obtainToken =
  (ports: ObtainPorts): UseCases['obtainToken'] =>
  (request) => {
    const { credentials, address } = request
    const use = (kind: 'login' | 'renewal') => (record: ApiKeyRecord) =>
      pipe(
        withinRate(request, record),
        TE.flatMap(() => recordKeyUse(ports, request, kind)(record)),
      )
    const obtained: Obtained =
      'apiKey' in credentials
        ? pipe(
            keyOfApiKey(ports)(credentials.apiKey),
            TE.tap(use('login')),
            TE.flatMap((record) => issueTokens(ports)(record)),
          )
        : renewTokens(ports, use('renewal'))(credentials.refreshToken)
    return pipe(
      obtained,
      TE.orElse((failure): Obtained =>
        failure._tag === 'AuthenticationFailed'
          ? countFailure(ports)(credentials, address, failure)
          : TE.left(failure),
      ),
      beforeRefusal((failure) => {
        if (failure._tag === 'AuthenticationFailed') return recordRefusal(ports, request, 'login_failed')
        if (failure._tag === 'RefreshTokenReused')
          return recordRefusal(ports, request, 'refresh_token_reused', failure.apiKeyId)
        return undefined
      }),
    )
  }
