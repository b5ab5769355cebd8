import { type Actor, type AuditEntry, noOrganisation } from '../../domain/audit-entry.js'
import { pipe, type TaskEither, TE } from '../../fp.js'
import type { ApiKeyRecord, RefreshTokenFamily, TokenUse } from '../../ports/access.js'
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

/** The end of storing an ended family: later than the end of any of its access tokens, also by the clock of another server. */
const endOfMemory = (now: Instant): Instant => plusSeconds(now, 2 * accessSeconds)

/** A family ends 30 days after its first token, regardless of renewals. */
const endOfFamily = (now: Instant): Instant => plusSeconds(now, familySeconds)

type IssuePorts = Pick<Ports, 'accessTokens' | 'refreshTokens' | 'secrets' | 'clock'> &
  Readonly<{ keyUses: KeyUses }>

/** Other families that a key may have when one begins: each start of a client begins a family. */
const mostOtherFamilies = 99

/** A new access token for a key, beside the refresh token of the family with that hash. */
const withAccessToken = (
  { accessTokens, clock, keyUses }: IssuePorts,
  record: ApiKeyRecord,
  family: string,
  refresh: Pick<Tokens, 'refreshToken' | 'refreshExpiresAt'>,
  use?: TokenUse,
): PortResult<Tokens> => {
  const issuedAt = clock.wall?.() ?? clock.now()
  const expiresAt = endOfAccessToken(issuedAt, record)
  const { id: apiKeyId, organisation } = record
  const scopes = use === undefined ? record.scopes : record.scopes.filter((scope) => scope === 'read')
  return pipe(
    accessTokens.sign({ apiKeyId, organisation, scopes, family, issuedAt, expiresAt, ...(use && { use }) }),
    TE.tapIO(() => () => keyUses.note(apiKeyId, issuedAt)),
    TE.map((token) => ({ token, expiresAt, ...refresh })),
  )
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
        withAccessToken(
          ports,
          record,
          hash,
          { refreshToken: refreshTokenText(parts), refreshExpiresAt: expiresAt },
          tokenUse,
        ),
      ),
    )
  }

type RenewPorts = Pick<Ports, 'apiKeys' | 'secrets' | 'clock'> & IssuePorts
type Renewed<A> = UseCaseResult<AuthenticationFailed | RefreshTokenReused | TooManyAttempts, A>

const failed: AuthenticationFailed = { _tag: 'AuthenticationFailed' }

/** Ends a family whose tokens two clients have, as the service cannot distinguish the thief from the owner. */
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

/** Replaces the used token by the next one of the family, unless another request did so first. */
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
 * Exchanges a refresh token for new tokens. A token that is not the latest of its family ends the family. `recordUse` runs before
 * the token is replaced, so that the token is still valid if `recordUse` fails.
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
 * `requestId`: for the audit log. `secondsToWait`: called with the id of the key after the credentials were verified, before
 * anything is recorded; a result above 0 refuses the request for that time.
 */
export type ObtainTokenRequest = Readonly<{
  credentials: Credentials
  address: string
  requestId?: string | undefined
  secondsToWait?: ((apiKeyId: string) => Promise<number>) | undefined
  /** The use of the access token for an API key; it then has the scope `read` alone. Absent: the API. */
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

/** Records a refusal before it is answered. */
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
 * Counts wrong credentials, by network, and by network and key, so that requests from one network lock out no client of another.
 * Once there are too many, nothing more is written: a flood costs reads only. Failures at the same time all pass the first check,
 * so each is checked again by its own number.
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

/** Refuses a key that requests tokens too often, before anything is written. */
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
 * first: right ones are accepted after any number of wrong ones, as 256 random bits cannot be guessed. A login is recorded
 * before tokens are issued. Failures are recorded only as long as they are counted, so that a flood writes nothing.
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
            TE.flatMap((record) => issueTokens(ports, request.use)(record)),
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
