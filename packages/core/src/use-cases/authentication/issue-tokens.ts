import { pipe, TE } from '../../fp.js'
import type { ApiKeyRecord } from '../../ports/api-keys.js'
import type { Ports } from '../../ports/index.js'
import type { PortResult } from '../../ports/port-failure.js'
import { plusSeconds, type Instant } from '../../values/instant.js'
import type { Tokens } from '../signatures.js'
import { hashOf } from './present-credentials.js'

const accessSeconds = 60 * 60
const refreshSeconds = 7 * 24 * 60 * 60

/** No token outlives its key. */
const endOf = (now: Instant, seconds: number, { expiresAt }: ApiKeyRecord): Instant => {
  const end = plusSeconds(now, seconds)
  return expiresAt !== undefined && expiresAt < end ? expiresAt : end
}

/** A new access token and a new refresh token for a key; of the latter only the hash is kept. */
export const issueTokens =
  (ports: Pick<Ports, 'accessTokens' | 'refreshTokens' | 'secrets' | 'clock'>) =>
  (record: ApiKeyRecord): PortResult<Tokens> => {
    const now = ports.clock.now()
    const expiresAt = endOf(now, accessSeconds, record)
    const refreshExpiresAt = endOf(now, refreshSeconds, record)
    const refreshToken = ports.secrets.generate()
    const { id: apiKeyId, organisation, scopes } = record
    return pipe(
      hashOf(ports, refreshToken),
      TE.flatMap((hash) => ports.refreshTokens.save({ hash, apiKeyId, expiresAt: refreshExpiresAt }, now)),
      TE.flatMap(() => ports.accessTokens.sign({ apiKeyId, organisation, scopes, issuedAt: now, expiresAt })),
      TE.map((token) => ({ token, expiresAt, refreshToken, refreshExpiresAt })),
    )
  }
