import { pipe, type TaskEither, TE } from '../../fp.js'
import type { ApiKeyRecord, RefreshTokenFamily } from '../../ports/access.js'
import type { Ports } from '../../ports/index.js'
import type { PortFailure, PortResult } from '../../ports/port-failure.js'
import { hashOf } from '../../ports/secrets.js'
import { earlier, type Instant, plusSeconds } from '../../values/instant.js'
import type { AuthenticationFailed, RefreshTokenReused, TooManyAttempts } from '../errors.js'
import { type CredentialPorts, type KeyUses, usableKey } from './authenticate.js'

export type Tokens = Readonly<{
  token: string
  expiresAt: Instant
  refreshToken: string
  refreshExpiresAt: Instant
}>

const accessSeconds = 60 * 60
const refreshSeconds = 7 * 24 * 60 * 60
const familySeconds = 30 * 24 * 60 * 60

/** No token outlives its key. */
const endOfAccessToken = (now: Instant, { expiresAt }: ApiKeyRecord): Instant =>
  earlier(plusSeconds(now, accessSeconds), expiresAt)

/** No token outlives its key, nor its family. */
const endOfRefreshToken = (now: Instant, { expiresAt }: ApiKeyRecord, familyEndsAt: Instant): Instant =>
  earlier(earlier(plusSeconds(now, refreshSeconds), familyEndsAt), expiresAt)

/** How long an ended family is remembered: longer than any access token of it lives, by whatever server's clock. */
const endOfMemory = (now: Instant): Instant => plusSeconds(now, 2 * accessSeconds)

/** However often its tokens are used, a family ends 30 days after its first. */
const endOfFamily = (now: Instant): Instant => plusSeconds(now, familySeconds)

type IssuePorts = Pick<Ports, 'accessTokens' | 'refreshTokens' | 'secrets' | 'clock'> &
  Readonly<{ keyUses: KeyUses }>

/** Families that a key may have beside the one that begins: each start of a client has its own. */
const mostOtherFamilies = 99

/** A new access token for a key, beside the refresh token of the family with that hash. */
const withAccessToken = (
  { accessTokens, clock, keyUses }: IssuePorts,
  record: ApiKeyRecord,
  family: string,
  refresh: Pick<Tokens, 'refreshToken' | 'refreshExpiresAt'>,
): PortResult<Tokens> => {
  const issuedAt = clock.now()
  const expiresAt = endOfAccessToken(issuedAt, record)
  const { id: apiKeyId, organisation, scopes } = record
  return pipe(
    accessTokens.sign({ apiKeyId, organisation, scopes, family, issuedAt, expiresAt }),
    TE.tapIO(() => () => keyUses.note(apiKeyId, issuedAt)),
    TE.map((token) => ({ token, expiresAt, ...refresh })),
  )
}

/** Two parts of 256 random bits each, with a full stop between: what all tokens of a family share, and what is the token's own. */
type RefreshToken = Readonly<{ family: string; secret: string }>

const tokenForm = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/

const refreshTokenText = ({ family, secret }: RefreshToken): string => `${family}.${secret}`

/** The parts of a token, or `undefined` where the text is not one. */
const parseRefreshToken = (text: string): RefreshToken | undefined => {
  const [, family, secret] = tokenForm.exec(text) ?? []
  return family === undefined || secret === undefined ? undefined : { family, secret }
}

/** A new access token for a key, and the first refresh token of a family; of the latter only hashes are kept. */
export const issueTokens =
  (ports: IssuePorts) =>
  (record: ApiKeyRecord): PortResult<Tokens> => {
    const now = ports.clock.now()
    const endsAt = endOfFamily(now)
    const expiresAt = endOfRefreshToken(now, record, endsAt)
    const parts = { family: ports.secrets.generate(), secret: ports.secrets.generate() }
    return pipe(
      TE.Do,
      TE.bind('hash', () => hashOf(ports, parts.family)),
      TE.bind('secretHash', () => hashOf(ports, parts.secret)),
      TE.map((hashes) => ({ ...hashes, apiKeyId: record.id, expiresAt, endsAt })),
      TE.tap((family) => ports.refreshTokens.begin(family, now, mostOtherFamilies)),
      TE.flatMap(({ hash }) =>
        withAccessToken(ports, record, hash, {
          refreshToken: refreshTokenText(parts),
          refreshExpiresAt: expiresAt,
        }),
      ),
    )
  }

type Parts = Parameters<typeof refreshTokenText>[0]

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

const livingFamily = (ports: RenewPorts, token: Parts): Renewed<RefreshTokenFamily> =>
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
  token: Parts,
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
