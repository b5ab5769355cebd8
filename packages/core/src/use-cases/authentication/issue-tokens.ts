import { pipe, TE } from '../../fp.js'
import type { ApiKeyRecord } from '../../ports/api-keys.js'
import type { Ports } from '../../ports/index.js'
import type { PortResult } from '../../ports/port-failure.js'
import type { KeyUses } from '../../provided/key-uses.js'
import { refreshTokenText } from '../../values/refresh-token.js'
import type { Tokens } from '../signatures.js'
import { hashOf } from './present-credentials.js'
import { endOfAccessToken, endOfFamily, endOfRefreshToken } from './token-times.js'

export type IssuePorts = Pick<Ports, 'accessTokens' | 'refreshTokens' | 'secrets' | 'clock'> &
  Readonly<{ keyUses: KeyUses }>

/** Families that a key may have beside the one that begins: each start of a client has its own. */
const mostOtherFamilies = 99

/** A new access token for a key, beside the refresh token of the family with that hash. */
export const withAccessToken = (
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
