import { pipe, TE, type TaskEither } from '../../fp.js'
import type { ApiKeyRecord } from '../../ports/api-keys.js'
import type { PortFailure } from '../../ports/port-failure.js'
import type { RefreshTokenFamily } from '../../ports/refresh-tokens.js'
import { parseRefreshToken, refreshTokenText, type RefreshToken } from '../../values/refresh-token.js'
import type { AuthenticationFailed, RefreshTokenReused, TooManyAttempts } from '../errors.js'
import type { Tokens } from '../signatures.js'
import { withAccessToken, type IssuePorts } from './issue-tokens.js'
import { hashOf, usableKey, type CredentialPorts } from './present-credentials.js'
import { endOfMemory, endOfRefreshToken } from './token-times.js'

type RenewPorts = CredentialPorts & IssuePorts
type Renewed<A> = TaskEither<AuthenticationFailed | RefreshTokenReused | TooManyAttempts | PortFailure, A>

const failed: AuthenticationFailed = { _tag: 'AuthenticationFailed' }

/** Somebody else has the tokens of the family too, and nobody knows who is who: it ends for both. */
const endFamily = (
  { refreshTokens, clock }: RenewPorts,
  { hash, apiKeyId }: RefreshTokenFamily,
): Renewed<never> =>
  pipe(
    refreshTokens.end(hash, endOfMemory(clock.now())),
    TE.flatMap(() => TE.left<RefreshTokenReused>({ _tag: 'RefreshTokenReused', apiKeyId })),
  )

const livingFamily = (ports: RenewPorts, token: RefreshToken): Renewed<RefreshTokenFamily> =>
  pipe(
    hashOf(ports, token.family),
    TE.flatMap((hash) => ports.refreshTokens.find(hash)),
    TE.flatMap((found): Renewed<RefreshTokenFamily> => {
      const now = ports.clock.now()
      return found !== undefined && found.endsAt > now && found.expiresAt > now
        ? TE.right(found)
        : TE.left(failed)
    }),
  )

/** The token that follows in the family takes the place of the one that was used, unless another use was first. */
const follow = (
  ports: RenewPorts,
  family: RefreshTokenFamily,
  token: RefreshToken,
  expiresAt: RefreshTokenFamily['expiresAt'],
): Renewed<string> => {
  const secret = ports.secrets.generate()
  return pipe(
    hashOf(ports, secret),
    TE.flatMap((secretHash) =>
      ports.refreshTokens.follow(family.hash, family.secretHash, { secretHash, expiresAt }),
    ),
    TE.flatMap((isFirst) =>
      isFirst ? TE.right(refreshTokenText({ family: token.family, secret })) : endFamily(ports, family),
    ),
  )
}

/**
 * Exchanges a refresh token for new tokens. One that is not the latest of its family ends the family. `recordUse`: done before the
 * token is used up, so that it is good still where that fails.
 */
export const renewTokens =
  (ports: RenewPorts, recordUse: (record: ApiKeyRecord) => Renewed<void>) =>
  (text: string): Renewed<Tokens> => {
    const token = parseRefreshToken(text)
    if (token === undefined) return TE.left(failed)
    return pipe(
      TE.Do,
      TE.bind('secretHash', () => hashOf(ports, token.secret)),
      TE.bindW('family', () => livingFamily(ports, token)),
      TE.tap(({ family, secretHash }): Renewed<unknown> =>
        family.secretHash === secretHash ? TE.right(undefined) : endFamily(ports, family),
      ),
      TE.bindW('record', ({ family }) => usableKey(ports, family.apiKeyId)),
      TE.tap(({ record }): Renewed<void> => recordUse(record)),
      TE.flatMap(({ family, record }) => {
        const refreshExpiresAt = endOfRefreshToken(ports.clock.now(), record, family.endsAt)
        return pipe(
          follow(ports, family, token, refreshExpiresAt),
          TE.flatMap((refreshToken) =>
            withAccessToken(ports, record, family.hash, { refreshToken, refreshExpiresAt }),
          ),
        )
      }),
    )
  }
