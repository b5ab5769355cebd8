import { type Actor, type AuditEntry, noOrganisation } from '../domain/audit-entry.js'
import { E, pipe } from '../fp.js'
import type { ApiKeyRecord, RefreshTokenFamily, TokenUse } from '../ports/access.js'
import type { Ports } from '../ports/index.js'
import type { PortFailure, PortResult } from '../ports/port-failure.js'
import { hashOf } from '../ports/secrets.js'
import { parseApiKey } from '../values/api-key.js'
import { earlier, type Instant, plusSeconds } from '../values/instant.js'
import { networkOf } from '../values/network-of.js'
import type {
  AuthenticationFailed,
  RefreshTokenReused,
  TooManyAttempts,
  UseCaseResult,
} from '../checking/errors.js'
import { inSequence } from '../lists/lists.js'
import { keyOfApiKey, type KeyUses, lifeSeconds, usableKey, whoHasKey } from './authenticate.js'

export type Tokens = Readonly<{
  token: string
  expiresAt: Instant
  refreshToken: string
  refreshExpiresAt: Instant
}>

const refreshSeconds = 7 * 24 * 60 * 60
const familySeconds = 30 * 24 * 60 * 60

/** No token outlives its key. */
const endOfAccessToken = (now: Instant, { expiresAt }: ApiKeyRecord, use: TokenUse | undefined): Instant =>
  earlier(plusSeconds(now, lifeSeconds(use)), expiresAt)

/** No token outlives its key, nor its family. */
const endOfRefreshToken = (now: Instant, { expiresAt }: ApiKeyRecord, familyEndsAt: Instant): Instant =>
  earlier(earlier(plusSeconds(now, refreshSeconds), familyEndsAt), expiresAt)

/** The end of storing an ended family: later than the end of any of its access tokens, also by the clock of another server. */
const endOfMemory = (now: Instant): Instant => plusSeconds(now, lifeSeconds('pages') + lifeSeconds(undefined))

/** A family ends 30 days after its first token, regardless of renewals. */
const endOfFamily = (now: Instant): Instant => plusSeconds(now, familySeconds)

type IssuePorts = Pick<Ports, 'accessTokens' | 'refreshTokens' | 'secrets' | 'clock'> &
  Readonly<{ keyUses: KeyUses }>

/** Other families that a key may have when one begins: each start of a client begins a family. */
const mostOtherFamilies = 99

/** A new access token for a key, beside the refresh token of the family with that hash. */
const withAccessToken = async (
  { accessTokens, clock, keyUses }: IssuePorts,
  record: ApiKeyRecord,
  family: string,
  refresh: Pick<Tokens, 'refreshToken' | 'refreshExpiresAt'>,
  use?: TokenUse,
): PortResult<Tokens> => {
  const issuedAt = clock.wall?.() ?? clock.now()
  const expiresAt = endOfAccessToken(issuedAt, record, use)
  const { id: apiKeyId, organisation, scopes } = record
  const claims = { apiKeyId, organisation, scopes, family, issuedAt, expiresAt, ...(use && { use }) }
  const token = await accessTokens.sign(claims)
  if (E.isLeft(token)) return token
  keyUses.note(apiKeyId, issuedAt)
  return E.right({ token: token.right, expiresAt, ...refresh })
}

/**
 * Two parts of 256 random bits each, with a full stop between: `family` is the same in all tokens of a family, `secret` is not.
 */
type RefreshToken = Readonly<{ family: string; secret: string }>

const tokenForm = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/

const refreshTokenText = ({ family, secret }: RefreshToken): string => `${family}.${secret}`

/** The parts of a token, or `undefined` if the text is no token. */
const parseRefreshToken = (text: string): RefreshToken | undefined => {
  const [, family, secret] = tokenForm.exec(text) ?? []
  return family === undefined || secret === undefined ? undefined : { family, secret }
}

/** A new access token for a key, and the first refresh token of a family; of the latter only hashes are kept. */
const issueTokens =
  (ports: IssuePorts, tokenUse: TokenUse | undefined) =>
  async (record: ApiKeyRecord): PortResult<Tokens> => {
    const now = ports.clock.now()
    const endsAt = endOfFamily(now)
    const expiresAt = endOfRefreshToken(now, record, endsAt)
    const parts = { family: ports.secrets.generate(), secret: ports.secrets.generate() }
    const hash = await hashOf(ports, parts.family)
    if (E.isLeft(hash)) return hash
    const secretHash = await hashOf(ports, parts.secret)
    if (E.isLeft(secretHash)) return secretHash
    const family = { hash: hash.right, secretHash: secretHash.right, apiKeyId: record.id, expiresAt, endsAt }
    const begun = await ports.refreshTokens.begin(family, now, mostOtherFamilies)
    if (E.isLeft(begun)) return begun
    const refresh = { refreshToken: refreshTokenText(parts), refreshExpiresAt: expiresAt }
    return withAccessToken(ports, record, family.hash, refresh, tokenUse)
  }

type RenewPorts = Pick<Ports, 'apiKeys' | 'secrets' | 'clock'> & IssuePorts
type Renewed<A> = UseCaseResult<AuthenticationFailed | RefreshTokenReused | TooManyAttempts, A>

const failed: AuthenticationFailed = { _tag: 'AuthenticationFailed' }

/** Ends a family whose tokens two clients have, as the service cannot distinguish the thief from the owner. */
const endFamily = async (
  { refreshTokens, clock }: RenewPorts,
  { hash, apiKeyId }: RefreshTokenFamily,
): Renewed<never> => {
  const ended = await refreshTokens.end(hash, endOfMemory(clock.now()))
  return E.isLeft(ended) ? ended : E.left({ _tag: 'RefreshTokenReused', apiKeyId })
}

const livingFamily = async (ports: RenewPorts, token: RefreshToken): Renewed<RefreshTokenFamily> => {
  const hash = await hashOf(ports, token.family)
  if (E.isLeft(hash)) return hash
  const found = await ports.refreshTokens.find(hash.right)
  if (E.isLeft(found)) return found
  const family = found.right
  const now = ports.clock.now()
  return family !== undefined && family.endsAt > now && family.expiresAt > now
    ? E.right(family)
    : E.left(failed)
}

/** Replaces the used token by the next one of the family, unless another request did so first. */
const follow = async (
  ports: RenewPorts,
  family: RefreshTokenFamily,
  token: RefreshToken,
  expiresAt: RefreshTokenFamily['expiresAt'],
): Renewed<string> => {
  const secret = ports.secrets.generate()
  const secretHash = await hashOf(ports, secret)
  if (E.isLeft(secretHash)) return secretHash
  const next = { secretHash: secretHash.right, expiresAt }
  const isFirst = await ports.refreshTokens.follow(family.hash, family.secretHash, next)
  if (E.isLeft(isFirst)) return isFirst
  return isFirst.right
    ? E.right(refreshTokenText({ family: token.family, secret }))
    : endFamily(ports, family)
}

/**
 * Exchanges a refresh token for new tokens. A token that is not the latest of its family ends the family. `recordUse` runs before
 * the token is replaced, so that the token is still valid if `recordUse` fails.
 */
const renewTokens =
  (ports: RenewPorts, recordUse: (record: ApiKeyRecord) => Renewed<void>) =>
  async (text: string): Renewed<Tokens> => {
    const token = parseRefreshToken(text)
    if (token === undefined) return E.left(failed)
    const secretHash = await hashOf(ports, token.secret)
    if (E.isLeft(secretHash)) return secretHash
    const living = await livingFamily(ports, token)
    if (E.isLeft(living)) return living
    const family = living.right
    if (family.secretHash !== secretHash.right) return endFamily(ports, family)
    const record = await usableKey(ports, family.apiKeyId)
    if (E.isLeft(record)) return record
    const recorded = await recordUse(record.right)
    if (E.isLeft(recorded)) return recorded
    const refreshExpiresAt = endOfRefreshToken(ports.clock.now(), record.right, family.endsAt)
    const refreshToken = await follow(ports, family, token, refreshExpiresAt)
    if (E.isLeft(refreshToken)) return refreshToken
    const refresh = { refreshToken: refreshToken.right, refreshExpiresAt }
    return withAccessToken(ports, record.right, family.hash, refresh)
  }

export type Credentials = Readonly<{ apiKey: string } | { refreshToken: string }>

/**
 * `requestId`: for the audit log. `secondsToWait`: called with the id of the key after the credentials were verified, before
 * anything is recorded; a result above 0 refuses the request for that time.
 */
export type ObtainTokenRequest = Readonly<{
  credentials: Credentials
  address: string
  requestId?: string | undefined
  secondsToWait?: ((apiKeyId: string) => Promise<number>) | undefined
  /** The use of the access token for an API key. Absent: the API. */
  use?: TokenUse
}>

type RecordLoginPorts = Pick<Ports, 'apiKeys' | 'auditTrail' | 'clock'>

type Asked = Pick<ObtainTokenRequest, 'address' | 'requestId'>

/**
 * Records the use of a key before tokens are issued: each login, and each first use from a network. A renewal is recorded only
 * from a new network, as clients renew all day.
 */
const recordKeyUse =
  ({ auditTrail, clock }: RecordLoginPorts, { address, requestId }: Asked, use: 'login' | 'renewal') =>
  ({ id, name, organisation }: Pick<ApiKeyRecord, 'id' | 'name' | 'organisation'>): PortResult<void> => {
    const subject = networkOf(address)
    const by: Actor = { who: whoHasKey(id, name), requestId }
    const ifNew: AuditEntry = { organisation, at: clock.now(), by, subject, what: 'new_address' }
    const entry: AuditEntry | undefined = use === 'login' ? { ...ifNew, what: 'logged_in' } : undefined
    return auditTrail.recordUse({ apiKeyId: id, network: subject, entry, ifNew })
  }

const keyIdIn = (credentials: Credentials): string | undefined =>
  'apiKey' in credentials ? parseApiKey(credentials.apiKey)?.id : undefined

/**
 * Records a failed login, or a refresh token that was used again. `keyId`: the key of the credentials; if it exists, the entry
 * belongs to its organisation.
 */
const recordRefusal = async (
  { apiKeys, auditTrail, clock }: RecordLoginPorts,
  { address, requestId, credentials }: ObtainTokenRequest,
  what: 'login_failed' | 'refresh_token_reused',
  keyId: string | undefined = keyIdIn(credentials),
): PortResult<void> => {
  const found = keyId === undefined ? E.right(undefined) : await apiKeys.find(keyId)
  if (E.isLeft(found)) return found
  const who = keyId === undefined ? 'unknown' : whoHasKey(keyId, found.right?.name)
  const organisation = found.right?.organisation ?? noOrganisation
  const by: Actor = { who, requestId }
  return auditTrail.record([{ organisation, at: clock.now(), what, by, subject: networkOf(address) }])
}

const tooMany: TooManyAttempts = { _tag: 'TooManyAttempts', retryAfterSeconds: 60 }

/** Failures within a minute until `TooManyAttempts`: of a network, and of a network with the id of one key. */
const mostFailures = { network: 10, keyAndNetwork: 5 }

const subjectsOf = (credentials: Credentials, address: string) => {
  const network = networkOf(address)
  const id = keyIdIn(credentials)
  return [
    { subject: network, most: mostFailures.network },
    ...(id === undefined ? [] : [{ subject: `${id}@${network}`, most: mostFailures.keyAndNetwork }]),
  ]
}

const areWithin = async (
  subjects: ReturnType<typeof subjectsOf>,
  failuresOf: (subject: string) => PortResult<number>,
  isWithin: (failures: number, most: number) => boolean,
): PortResult<boolean> => {
  const counts = await Promise.all(subjects.map(({ subject }) => failuresOf(subject)))
  return pipe(
    E.sequenceArray(counts),
    E.map((all) => subjects.every(({ most }, index) => isWithin(all[index] as number, most))),
  )
}

/**
 * Counts wrong credentials, by network, and by network and key, so that requests from one network lock out no client of another.
 * Returns whether there are not too many. Once there are, nothing more is written: a flood costs reads only. Failures at the same
 * time all pass the first check, so each is checked again by its own number.
 */
const countFailure = async (
  { failedAttempts, clock }: Pick<Ports, 'failedAttempts' | 'clock'>,
  { credentials, address }: ObtainTokenRequest,
): PortResult<boolean> => {
  const subjects = subjectsOf(credentials, address)
  const hasRoom = await areWithin(
    subjects,
    (subject) => failedAttempts.recent(subject, clock.now()),
    (failures, most) => failures < most,
  )
  if (E.isLeft(hasRoom) || !hasRoom.right) return hasRoom
  return areWithin(
    subjects,
    (subject) => failedAttempts.record(subject, clock.now()),
    (failures, most) => failures <= most,
  )
}

type Obtained = UseCaseResult<AuthenticationFailed | RefreshTokenReused | TooManyAttempts, Tokens>
type ObtainPorts = RenewPorts & RecordLoginPorts & Pick<Ports, 'failedAttempts'>

/** Refuses a key that requests tokens too often, before anything is written. */
const withinRate = async (
  { secondsToWait }: ObtainTokenRequest,
  { id }: ApiKeyRecord,
): UseCaseResult<TooManyAttempts, void> => {
  const retryAfterSeconds = (await secondsToWait?.(id)) ?? 0
  return retryAfterSeconds > 0 ? E.left({ _tag: 'TooManyAttempts', retryAfterSeconds }) : E.right(undefined)
}

/** New tokens for right credentials. A login is recorded before tokens are issued. */
const tokensFor = async (ports: ObtainPorts, request: ObtainTokenRequest): Obtained => {
  const { credentials } = request
  const recordUse = (kind: 'login' | 'renewal') => (record: ApiKeyRecord) =>
    inSequence<TooManyAttempts | PortFailure, void>(
      () => withinRate(request, record),
      () => recordKeyUse(ports, request, kind)(record),
    )
  if (!('apiKey' in credentials)) return renewTokens(ports, recordUse('renewal'))(credentials.refreshToken)
  const record = await keyOfApiKey(ports)(credentials.apiKey)
  if (E.isLeft(record)) return record
  return inSequence<TooManyAttempts | PortFailure, Tokens>(
    () => recordUse('login')(record.right),
    () => issueTokens(ports, request.use)(record.right),
  )
}

/**
 * Exchanges an API key or a refresh token for new tokens (docs/reference/api.md#authentication). Credentials are verified
 * first: right ones are accepted after any number of wrong ones, as 256 random bits cannot be guessed. Failures are recorded only
 * as long as they are counted, so that a flood writes nothing.
 */
export const obtainToken =
  (ports: ObtainPorts) =>
  async (request: ObtainTokenRequest): Obtained => {
    const obtained = await tokensFor(ports, request)
    if (E.isRight(obtained)) return obtained
    const refusal = obtained.left
    const answer = async () => obtained
    if (refusal._tag === 'RefreshTokenReused')
      return inSequence(() => recordRefusal(ports, request, 'refresh_token_reused', refusal.apiKeyId), answer)
    if (refusal._tag !== 'AuthenticationFailed') return obtained
    const isWithin = await countFailure(ports, request)
    if (E.isLeft(isWithin)) return isWithin
    if (!isWithin.right) return E.left(tooMany)
    return inSequence(() => recordRefusal(ports, request, 'login_failed'), answer)
  }
