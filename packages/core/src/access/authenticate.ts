import { Recent } from '../concurrency/recent.js'
import { E } from '../fp.js'
import type {
  AccessTokenClaims,
  AccessTokens,
  ApiKeyRecord,
  ApiKeys,
  RefreshTokens,
  TokenUse,
  VerifiedToken,
} from '../ports/access.js'
import { type Clock, hashOf } from '../ports/secrets.js'
import type { Ports } from '../ports/index.js'
import type { PortResult } from '../ports/port-failure.js'
import { parseApiKey } from '../values/api-key.js'
import { type Instant, plusSeconds } from '../values/instant.js'
import type { AuthenticationFailed, TokenExpired, UseCaseResult } from '../checking/errors.js'

type CredentialPorts = Pick<Ports, 'apiKeys' | 'secrets' | 'clock'>

type Presented = UseCaseResult<AuthenticationFailed, ApiKeyRecord>

const failed: AuthenticationFailed = { _tag: 'AuthenticationFailed' }

/** The record of a key that may be used now. */
export const usableKey = async ({ apiKeys, clock }: CredentialPorts, id: string): Presented => {
  const record = await apiKeys.find(id)
  if (E.isLeft(record)) return record
  return record.right !== undefined && isUsable(record.right, clock.now())
    ? E.right(record.right)
    : E.left(failed)
}

/** The record of an API key. Plain equality is safe here, because it compares hashes of 256 random bits. */
export const keyOfApiKey =
  (ports: CredentialPorts) =>
  async (text: string): Presented => {
    const key = parseApiKey(text)
    if (key === undefined) return E.left(failed)
    const hash = await hashOf(ports, key.secret)
    if (E.isLeft(hash)) return hash
    const record = await usableKey(ports, key.id)
    if (E.isLeft(record)) return record
    return record.right.secretHash === hash.right ? record : E.left(failed)
  }

/** The API key that a token was issued for; `keyName`: its name for people. */
export type Authenticated = AccessTokenClaims & Readonly<{ keyName?: string | undefined }>

/** The actor of a key in the audit log: its id, and its name if it has one. */
export const whoHasKey = (id: string, name: string | undefined): string =>
  name === undefined ? `key ${id}` : `key ${id} (${name})`

/** The latest use of each API key, until `noteKeyUses` stores it, so that no request waits for that statement. */
export class KeyUses {
  #uses = new Map<string, Instant>()

  note(apiKeyId: string, at: Instant): void {
    this.#uses.set(apiKeyId, at)
  }

  /** Removes and returns the uses since the last call, by the id of the key. */
  take(): ReadonlyMap<string, Instant> {
    const taken = this.#uses
    this.#uses = new Map()
    return taken
  }

  /** Restores uses that could not be stored, except of keys that were used since. */
  giveBack(uses: Iterable<readonly [apiKeyId: string, at: Instant]>): void {
    for (const [id, at] of uses) if (!this.#uses.has(id)) this.#uses.set(id, at)
  }
}

const isUsable = (
  record: ApiKeyRecord & Readonly<{ isOrganisationDisabled: boolean }>,
  now: Instant,
): boolean => !record.isOrganisationDisabled && !hasEnded(record, now)

/** Whether the key is revoked or expired. */
export const hasEnded = (record: ApiKeyRecord, now: Instant): boolean =>
  record.revokedAt !== undefined || (record.expiresAt !== undefined && record.expiresAt <= now)

const accessSeconds = 60 * 60

/** Seconds from the issue of a token to its end: of an API token, and of a session in a browser, as a person works for a shift. */
export const lifeSeconds = (use: TokenUse | undefined): number =>
  use === undefined ? accessSeconds : 12 * accessSeconds

/** Clocks of servers may differ by so much. */
const mostAheadSeconds = 300

/** Whether a server with a right clock can have issued the token. One whose clock is hours ahead would make tokens that live too long. */
const isOfOurTime = ({ issuedAt, expiresAt, use }: AccessTokenClaims, now: Instant): boolean =>
  issuedAt <= plusSeconds(now, mostAheadSeconds) && expiresAt <= plusSeconds(issuedAt, lifeSeconds(use))

type TokenPorts = Pick<Ports, 'clock'> &
  Readonly<{
    apiKeys: Pick<ApiKeys, 'find'>
    refreshTokens: Pick<RefreshTokens, 'hasEnded'>
  }>

/** The key of a token, unless the key, its organisation or the family of refresh tokens has ended. */
const keyInForce = async (
  { apiKeys, refreshTokens, clock }: TokenPorts,
  { apiKeyId, family }: AccessTokenClaims,
): PortResult<ApiKeyRecord | undefined> => {
  const record = await apiKeys.find(apiKeyId)
  if (E.isLeft(record)) return record
  if (record.right === undefined || !isUsable(record.right, clock.now())) return E.right(undefined)
  const ended = await refreshTokens.hasEnded(family)
  if (E.isLeft(ended)) return ended
  return ended.right ? E.right(undefined) : record
}

/** Verifies a token, and refuses it if its key, organisation or family has ended. */
const authenticate =
  (ports: TokenPorts & Pick<Ports, 'accessTokens'> & Readonly<{ keyUses: KeyUses }>) =>
  async (
    token: string,
    use?: TokenUse,
  ): UseCaseResult<AuthenticationFailed | TokenExpired, Authenticated> => {
    const now = ports.clock.now()
    const verified = await ports.accessTokens.verify(token, now)
    if (E.isLeft(verified)) return verified
    if (verified.right._tag === 'expired') return E.left({ _tag: 'TokenExpired' })
    if (verified.right._tag !== 'verified') return E.left({ _tag: 'AuthenticationFailed' })
    const { claims } = verified.right
    if (claims.use !== use || !isOfOurTime(claims, now)) return E.left({ _tag: 'AuthenticationFailed' })
    const inForce = await keyInForce(ports, claims)
    if (E.isLeft(inForce)) return inForce
    if (inForce.right === undefined) return E.left({ _tag: 'AuthenticationFailed' })
    ports.keyUses.note(claims.apiKeyId, now)
    return E.right({ ...claims, keyName: inForce.right.name })
  }

/** The same check during a request: its token may have expired, but its key, organisation and family must not have ended. */
const reauthenticate =
  (ports: TokenPorts) =>
  async (claims: AccessTokenClaims): UseCaseResult<AuthenticationFailed, void> => {
    const inForce = await keyInForce(ports, claims)
    if (E.isLeft(inForce)) return inForce
    return inForce.right !== undefined ? E.right(undefined) : E.left({ _tag: 'AuthenticationFailed' })
  }

/**
 * Ends the family of the token, and with it the session, at once on this server and within 30 seconds on others. The store keeps
 * the end for longer than the token is valid.
 */
const endSession =
  (
    { refreshTokens, auditTrail, clock }: Pick<Ports, 'refreshTokens' | 'auditTrail' | 'clock'>,
    noteEnd: (family: string, hasEnded: boolean) => void,
  ) =>
  async (
    { apiKeyId, keyName, organisation, family, expiresAt }: Authenticated,
    requestId?: string,
  ): PortResult<void> => {
    const ended = await refreshTokens.end(family, plusSeconds(expiresAt, accessGraceSeconds))
    if (E.isLeft(ended)) return ended
    noteEnd(family, true)
    const by = { who: whoHasKey(apiKeyId, keyName), requestId }
    return auditTrail.record([{ organisation, at: clock.now(), what: 'logged_out', by }])
  }

/** A use is stored if the stored one is older than this, so that several servers write once. */
const coarseSeconds = 60

/** Stores the latest use of each key. Uses that the store failed to take are kept for the next call. */
const noteKeyUses =
  ({ apiKeys, keyUses }: Pick<Ports, 'apiKeys'> & Readonly<{ keyUses: KeyUses }>) =>
  async (): PortResult<number> => {
    const uses = [...keyUses.take()]
    for (const [index, [id, at]] of uses.entries()) {
      const noted = await apiKeys.noteUse(id, at, plusSeconds(at, -coarseSeconds))
      if (E.isRight(noted)) continue
      keyUses.giveBack(uses.slice(index))
      return noted
    }
    return E.right(uses.length)
  }

const lifetimeSeconds = 30

/** The clock of another server, which checks the end of a token, may be behind. */
const accessGraceSeconds = 3600

const mostEntries = 10_000

/**
 * Caches answers of a store for 30 seconds, so that checking a token seldom reads it. A revocation takes effect within these
 * 30 seconds; clients are promised 60. If the store is unavailable after that, all tokens fail. `undefined` is not cached.
 */
const shortlyRemembered = <A>(
  ask: (key: string) => PortResult<A>,
  clock: Clock,
): Readonly<{ find: (key: string) => PortResult<A>; note: (key: string, answer: A) => void }> => {
  const entries = new Recent<Readonly<{ answer: A; until: Instant }>>(mostEntries)
  const note = (key: string, answer: A, now = clock.now()): void =>
    entries.set(key, { answer, until: plusSeconds(now, lifetimeSeconds) })
  const find = async (key: string): PortResult<A> => {
    const now = clock.now()
    const known = entries.get(key)
    if (known !== undefined && known.until > now) return E.right(known.answer)
    const answer = await ask(key)
    // Counted from before the store was read, as its answer may be as old as that.
    if (E.isRight(answer) && answer.right !== undefined) note(key, answer.right, now)
    return answer
  }
  return { find, note }
}

/**
 * Verifies the signature of a token once, after that only its expiry: a client sends the same token with thousands of requests,
 * and a valid signature remains valid. Refused tokens are not cached.
 */
const rememberedAccessTokens = (accessTokens: AccessTokens): AccessTokens => {
  const known = new Recent<Extract<VerifiedToken, { _tag: 'verified' }>>(mostEntries)
  return {
    ...accessTokens,
    verify: async (token, at) => {
      const verified = known.get(token)
      if (verified !== undefined && verified.claims.expiresAt > at) return E.right(verified)
      const result = await accessTokens.verify(token, at)
      if (E.isRight(result) && result.right._tag === 'verified') known.set(token, result.right)
      return result
    },
  }
}

/** The use cases that check tokens; `keyUses`: uses of keys that are not stored yet. */
export const sessionUseCases = (ports: Ports, keyUses: KeyUses) => {
  const { accessTokens, apiKeys, clock, refreshTokens } = ports
  const endings = shortlyRemembered((hash) => refreshTokens.hasEnded(hash), clock)
  const tokenPorts = {
    clock,
    apiKeys: { find: shortlyRemembered((id) => apiKeys.find(id), clock).find },
    refreshTokens: { hasEnded: endings.find },
  }
  return {
    authenticate: authenticate({
      ...tokenPorts,
      accessTokens: rememberedAccessTokens(accessTokens),
      keyUses,
    }),
    reauthenticate: reauthenticate(tokenPorts),
    endSession: endSession(ports, endings.note),
    noteKeyUses: noteKeyUses({ apiKeys, keyUses }),
  }
}
