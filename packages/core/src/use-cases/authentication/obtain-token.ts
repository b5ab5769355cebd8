import { pipe, TE } from '../../fp.js'
import type { Ports } from '../../ports/index.js'
import type { UseCases } from '../signatures.js'
import { countFailure } from './count-failure.js'
import { issueTokens, type IssuePorts } from './issue-tokens.js'
import { keyOfApiKey, type CredentialPorts } from './present-credentials.js'
import { beforeRefusal, recordKeyUse, recordRefusal, type RecordLoginPorts } from './record-login.js'
import { renewTokens } from './renew-tokens.js'

type Obtained = ReturnType<UseCases['obtainToken']>
type ObtainPorts = CredentialPorts & IssuePorts & RecordLoginPorts & Pick<Ports, 'failedAttempts'>

/**
 * Exchanges an API key or a refresh token for new tokens (docs/reference/api.md#authentication). Credentials are verified
 * first: right ones are taken, however many wrong ones came before, as 256 random bits are not guessed. A login is recorded
 * before there are tokens; what failed is, as long as failures are counted, so that a flood writes nothing.
 */
export const obtainToken =
  (ports: ObtainPorts): UseCases['obtainToken'] =>
  (request) => {
    const { credentials, address } = request
    const obtained: Obtained =
      'apiKey' in credentials
        ? pipe(
            keyOfApiKey(ports)(credentials.apiKey),
            TE.tap((record) => recordKeyUse(ports, request, 'login')(record)),
            TE.flatMap((record) => issueTokens(ports)(record)),
          )
        : renewTokens(ports, recordKeyUse(ports, request, 'renewal'))(credentials.refreshToken)
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
