import { type Actor, type AuditEntry, noOrganisation } from '../../domain/audit-entry.js'
import { pipe, type TaskEither, TE } from '../../fp.js'
import type { ApiKeyRecord, RefreshTokenFamily } from '../../ports/access.js'
import type { Ports } from '../../ports/index.js'
import type { PortResult } from '../../ports/port-failure.js'
import { hashOf } from '../../ports/secrets.js'
import { parseApiKey } from '../../values/api-key.js'
import { earlier, type Instant, plusSeconds } from '../../values/instant.js'
import { networkOf } from '../../values/network-of.js'
import type { AuthenticationFailed, RefreshTokenReused, TooManyAttempts, UseCaseResult } from '../errors.js'
import { keyOfApiKey, type KeyUses, usableKey, whoHasKey } from './authenticate.js'

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
const issueTokens =
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

type RenewPorts = Pick<Ports, 'apiKeys' | 'secrets' | 'clock'> & IssuePorts
type Renewed<A> = UseCaseResult<AuthenticationFailed | RefreshTokenReused | TooManyAttempts, A>

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
const renewTokens =
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

export type Credentials = Readonly<{ apiKey: string } | { refreshToken: string }>

/**
 * `requestId`: the request that asks, for the record. `secondsToWait`: asked with the id of the key once the credentials are known to be
 * right, before anything is recorded; more than 0 refuses, until then.
 */
export type ObtainTokenRequest = Readonly<{
  credentials: Credentials
  address: string
  requestId?: string | undefined
  secondsToWait?: ((apiKeyId: string) => Promise<number>) | undefined
}>

type RecordLoginPorts = Pick<Ports, 'apiKeys' | 'auditTrail' | 'clock'>

type Asked = Pick<ObtainTokenRequest, 'address' | 'requestId'>

/**
 * Records that a key is used, before it gets tokens: each login, and that it never came from this network before. A renewal has no
 * entry of its own, as clients renew all day; that it comes from elsewhere is told all the same.
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
 * Records a login that failed, or a refresh token that was used again. `keyId`: the key that it names, or that the token was
 * of; where there is such a key, the entry is its organisation's.
 */
const recordRefusal = (
  { apiKeys, auditTrail, clock }: RecordLoginPorts,
  { address, requestId, credentials }: ObtainTokenRequest,
  what: 'login_failed' | 'refresh_token_reused',
  keyId: string | undefined = keyIdIn(credentials),
): PortResult<void> =>
  pipe(
    keyId === undefined ? TE.right(undefined) : apiKeys.find(keyId),
    TE.flatMap((found) => {
      const who = keyId === undefined ? 'unknown' : whoHasKey(keyId, found?.name)
      const organisation = found?.organisation ?? noOrganisation
      const by: Actor = { who, requestId }
      return auditTrail.record([{ organisation, at: clock.now(), what, by, subject: networkOf(address) }])
    }),
  )

/** Does something about a refusal before it is answered. */
const beforeRefusal =
  <Failure>(record: (failure: Failure) => PortResult<void> | undefined) =>
  <A>(work: TaskEither<Failure, A>): TaskEither<Failure, A> =>
    pipe(
      work,
      TE.orElse((failure): TaskEither<Failure, A> => {
        const recorded = record(failure)
        if (recorded === undefined) return TE.left(failure)
        return pipe(
          recorded as TaskEither<Failure, void>,
          TE.flatMap(() => TE.left(failure)),
        )
      }),
    )

const tooMany: TooManyAttempts = { _tag: 'TooManyAttempts', retryAfterSeconds: 60 }

/** Failures within a minute that are answered as what they are: of a network, and of it with the id of one key. */
const mostFailures = { network: 10, keyAndNetwork: 5 }

const subjectsOf = (credentials: Credentials, address: string) => {
  const network = networkOf(address)
  const id = 'apiKey' in credentials ? parseApiKey(credentials.apiKey)?.id : undefined
  return [
    { subject: network, most: mostFailures.network },
    ...(id === undefined ? [] : [{ subject: `${id}@${network}`, most: mostFailures.keyAndNetwork }]),
  ]
}

const areWithin = (
  subjects: ReturnType<typeof subjectsOf>,
  isWithin: (subject: string, most: number) => PortResult<boolean>,
): PortResult<boolean> =>
  pipe(
    subjects,
    TE.traverseArray(({ subject, most }) => isWithin(subject, most)),
    TE.map((each) => each.every(Boolean)),
  )

/**
 * Counts credentials that were found wrong. The counters are of the network they came from, and the key they name together with
 * it, so that nobody is kept out by what others send. Once there are too many nothing more is written: a flood costs reads.
 * Failures at the same time all pass the first check, so each is checked again by its own number.
 */
const countFailure =
  ({ failedAttempts, clock }: Pick<Ports, 'failedAttempts' | 'clock'>) =>
  <Failure>(
    credentials: Credentials,
    address: string,
    failure: Failure,
  ): UseCaseResult<Failure | TooManyAttempts, never> => {
    const subjects = subjectsOf(credentials, address)
    const hasRoom = areWithin(subjects, (subject, most) =>
      pipe(
        failedAttempts.recent(subject, clock.now()),
        TE.map((failures) => failures < most),
      ),
    )
    const counted = areWithin(subjects, (subject, most) =>
      pipe(
        failedAttempts.record(subject, clock.now()),
        TE.map((failures) => failures <= most),
      ),
    )
    return pipe(
      hasRoom,
      TE.flatMap((room) => (room ? counted : TE.right(false))),
      TE.flatMap((within): TaskEither<Failure | TooManyAttempts, never> =>
        TE.left(within ? failure : tooMany),
      ),
    )
  }

type Obtained = UseCaseResult<AuthenticationFailed | RefreshTokenReused | TooManyAttempts, Tokens>
type ObtainPorts = RenewPorts & RecordLoginPorts & Pick<Ports, 'failedAttempts'>

/** Refuses a key that has asked too often, before it writes anything. */
const withinRate = (
  { secondsToWait }: ObtainTokenRequest,
  { id }: ApiKeyRecord,
): UseCaseResult<TooManyAttempts, void> =>
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
  (ports: ObtainPorts) =>
  (request: ObtainTokenRequest): Obtained => {
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
