import { Recent } from '../../concurrency/recent.js'
import { E, pipe, TE } from '../../fp.js'
import type {
  AccessTokenClaims,
  AccessTokens,
  ApiKeyRecord,
  ApiKeys,
  FoundApiKey,
  RefreshTokens,
  VerifiedToken,
} from '../../ports/access.js'
import { type Clock, hashOf } from '../../ports/secrets.js'
import type { Ports } from '../../ports/index.js'
import type { PortFailure, PortResult } from '../../ports/port-failure.js'
import { parseApiKey } from '../../values/api-key.js'
import { type Instant, plusSeconds } from '../../values/instant.js'
import type { AuthenticationFailed, TokenExpired, UseCaseResult } from '../errors.js'

type CredentialPorts = Pick<Ports, 'apiKeys' | 'secrets' | 'clock'>

type Presented = UseCaseResult<AuthenticationFailed, ApiKeyRecord>

const failed: AuthenticationFailed = { _tag: 'AuthenticationFailed' }

/** The record of a key that may be used now. */
export const usableKey = ({ apiKeys, clock }: CredentialPorts, id: string): Presented =>
  pipe(
    apiKeys.find(id),
    TE.flatMap((record): Presented =>
      record !== undefined && isUsable(record, clock.now()) ? TE.right(record) : TE.left(failed),
    ),
  )

/** The record of an API key. Plain equality is safe here: what is compared are hashes of 256 random bits. */
export const keyOfApiKey =
  (ports: CredentialPorts) =>
  (text: string): Presented => {
    const key = parseApiKey(text)
    if (key === undefined) return TE.left(failed)
    return pipe(
      hashOf(ports, key.secret),
      TE.bindTo('hash'),
      TE.bindW('record', () => usableKey(ports, key.id)),
      TE.flatMap(({ hash, record }): Presented =>
        record.secretHash === hash ? TE.right(record) : TE.left(failed),
      ),
    )
  }

/** Whom a token stands for; `keyName`: what people call its key. */
export type Authenticated = AccessTokenClaims & Readonly<{ keyName?: string | undefined }>

/** The name of a key in the audit log: by its id, and by its name where it has one. */
export const whoHasKey = (id: string, name: string | undefined): string =>
  name === undefined ? `key ${id}` : `key ${id} (${name})`

/** When API keys were used last, until somebody writes it down: nothing is written while a request waits. */
export class KeyUses {
  #uses = new Map<string, Instant>()

  note(apiKeyId: string, at: Instant): void {
    this.#uses.set(apiKeyId, at)
  }

  /** The uses since the last time, by the id of the key. */
  take(): ReadonlyMap<string, Instant> {
    const taken = this.#uses
    this.#uses = new Map()
    return taken
  }

  /** Gives back what could not be written down; a later use stands. */
  giveBack(uses: Iterable<readonly [apiKeyId: string, at: Instant]>): void {
    for (const [id, at] of uses) if (!this.#uses.has(id)) this.#uses.set(id, at)
  }
}

const isUsable = (record: FoundApiKey, now: Instant): boolean =>
  !record.isOrganisationDisabled && !hasEnded(record, now)

/** A key that is revoked or past its end. */
export const hasEnded = (record: ApiKeyRecord, now: Instant): boolean =>
  record.revokedAt !== undefined || (record.expiresAt !== undefined && record.expiresAt <= now)

type Standing = Pick<Ports, 'clock'> &
  Readonly<{
    apiKeys: Pick<ApiKeys, 'find'>
    refreshTokens: Pick<RefreshTokens, 'hasEnded'>
  }>

/** The key of a token, as long as what it hangs on is in force: the key, its organisation, its family of refresh tokens. */
const keyInForce = async (
  { apiKeys, refreshTokens, clock }: Standing,
  { apiKeyId, family }: AccessTokenClaims,
): Promise<E.Either<PortFailure, ApiKeyRecord | undefined>> => {
  const record = await apiKeys.find(apiKeyId)()
  if (E.isLeft(record)) return record
  if (record.right === undefined || !isUsable(record.right, clock.now())) return E.right(undefined)
  const ended = await refreshTokens.hasEnded(family)()
  if (E.isLeft(ended)) return ended
  return ended.right ? E.right(undefined) : record
}

/** Whom a token stands for. A token whose key, organisation or family has ended is refused. */
const authenticate =
  (ports: Standing & Pick<Ports, 'accessTokens'> & Readonly<{ keyUses: KeyUses }>) =>
  (token: string): UseCaseResult<AuthenticationFailed | TokenExpired, Authenticated> =>
  async () => {
    const now = ports.clock.now()
    const verified = await ports.accessTokens.verify(token, now)()
    if (E.isLeft(verified)) return verified
    if (verified.right._tag === 'expired') return E.left({ _tag: 'TokenExpired' })
    if (verified.right._tag !== 'verified') return E.left({ _tag: 'AuthenticationFailed' })
    const { claims } = verified.right
    const inForce = await keyInForce(ports, claims)
    if (E.isLeft(inForce)) return inForce
    if (inForce.right === undefined) return E.left({ _tag: 'AuthenticationFailed' })
    ports.keyUses.note(claims.apiKeyId, now)
    return E.right({ ...claims, keyName: inForce.right.name })
  }

/** The same for a request that goes on: its token may expire meanwhile, but not lose what it hangs on. */
const reauthenticate =
  (ports: Standing) =>
  (claims: AccessTokenClaims): UseCaseResult<AuthenticationFailed, void> =>
  async () => {
    const inForce = await keyInForce(ports, claims)
    if (E.isLeft(inForce)) return inForce
    return inForce.right !== undefined ? E.right(undefined) : E.left({ _tag: 'AuthenticationFailed' })
  }

/** Servers that write at the same time write once: a use within so many seconds is near enough. */
const coarseSeconds = 60

/** Writes down when keys were used. Uses that a store does not take now are tried again the next time. */
const noteKeyUses =
  ({ apiKeys, keyUses }: Pick<Ports, 'apiKeys'> & Readonly<{ keyUses: KeyUses }>) =>
  (): PortResult<number> =>
  async () => {
    const uses = [...keyUses.take()]
    for (const [index, [id, at]] of uses.entries()) {
      const noted = await apiKeys.noteUse(id, at, plusSeconds(at, -coarseSeconds))()
      if (E.isRight(noted)) continue
      keyUses.giveBack(uses.slice(index))
      return noted
    }
    return E.right(uses.length)
  }

const lifetimeSeconds = 30
const mostEntries = 10_000

/**
 * Answers as they were at most 30 seconds ago, so that checking a token seldom asks a store. A revocation is seen within these
 * 30 seconds; clients are promised 60. When the store cannot be asked after that, nobody is let in. `undefined` is not
 * remembered.
 */
const shortlyRemembered = <A>(
  ask: (key: string) => PortResult<A>,
  clock: Clock,
): ((key: string) => PortResult<A>) => {
  const entries = new Recent<Readonly<{ answer: A; until: Instant }>>(mostEntries)
  return (key) => {
    const now = clock.now()
    const known = entries.get(key)
    if (known !== undefined && known.until > now) return TE.right(known.answer)
    // From before the store was asked: however long it takes, its answer is no younger than that.
    const until = plusSeconds(now, lifetimeSeconds)
    return pipe(
      ask(key),
      TE.tapIO((answer) => () => {
        if (answer !== undefined) entries.set(key, { answer, until })
      }),
    )
  }
}

/**
 * Verifies the signature of a token the first time, after that only its expiry: a client sends the same token with
 * thousands of requests, and a right signature stays right. Tokens that were refused are not remembered.
 */
const rememberedAccessTokens = (accessTokens: AccessTokens): AccessTokens => {
  const known = new Recent<Extract<VerifiedToken, { _tag: 'verified' }>>(mostEntries)
  return {
    ...accessTokens,
    verify: (token, at) => {
      const verified = known.get(token)
      if (verified !== undefined && verified.claims.expiresAt > at) return TE.right(verified)
      return pipe(
        accessTokens.verify(token, at),
        TE.tapIO((result) => () => {
          if (result._tag === 'verified') known.set(token, result)
        }),
      )
    },
  }
}

/** The use cases that say whose token is in force; `keyUses`: the uses of keys that are yet to be written down. */
export const sessionUseCases = (ports: Ports, keyUses: KeyUses) => {
  const { accessTokens, apiKeys, clock, refreshTokens } = ports
  const standing = {
    clock,
    apiKeys: { find: shortlyRemembered((id) => apiKeys.find(id), clock) },
    refreshTokens: { hasEnded: shortlyRemembered((hash) => refreshTokens.hasEnded(hash), clock) },
  }
  return {
    authenticate: authenticate({ ...standing, accessTokens: rememberedAccessTokens(accessTokens), keyUses }),
    reauthenticate: reauthenticate(standing),
    noteKeyUses: noteKeyUses({ apiKeys, keyUses }),
  }
}
