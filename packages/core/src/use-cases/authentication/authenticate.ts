import { E } from '../../fp.js'
import type { ApiKeys } from '../../ports/api-keys.js'
import type { Ports } from '../../ports/index.js'
import type { UseCases } from '../signatures.js'
import { isUsable } from './usable-key.js'

/** Whom a token stands for. A token of a revoked key is refused. */
export const authenticate =
  ({
    accessTokens,
    apiKeys,
    clock,
  }: Pick<Ports, 'accessTokens' | 'clock'> &
    Readonly<{ apiKeys: Pick<ApiKeys, 'find'> }>): UseCases['authenticate'] =>
  (token) =>
  async () => {
    const now = clock.now()
    const verified = await accessTokens.verify(token, now)()
    if (E.isLeft(verified)) return verified
    if (verified.right._tag === 'expired') return E.left({ _tag: 'TokenExpired' })
    if (verified.right._tag !== 'verified') return E.left({ _tag: 'AuthenticationFailed' })
    const { claims } = verified.right
    const record = await apiKeys.find(claims.apiKeyId)()
    if (E.isLeft(record)) return record
    const isGood = record.right !== undefined && isUsable(record.right, clock.now())
    return isGood ? E.right(claims) : E.left({ _tag: 'AuthenticationFailed' })
  }
