import type { KeyLimits } from '@account-import/adapter-http-koa'
import { type AppContext, type Session, sessionOf } from '@account-import/adapter-http-koa/pages'
import { type Authenticated, millisecondsOf, type Scope, scopes, type UseCases } from '@account-import/core'
import { E, type Either } from '@account-import/core/fp'
import { Choice, Key, organisationCode } from '@account-import/core/payloads'
import type { Refusal } from '@account-import/http-contract'
import * as t from 'io-ts'

/** A person whom the platform knows. `who`: the actor of audit events, such as `ana@platform`; 1 to 200 characters, without control characters. */
export type PlatformVisitor = Readonly<{ organisation: string; scopes: readonly Scope[]; who: string }>

/** A result of `PlatformAccess` that is no visitor. */
export type Nobody = undefined | null | false | '' | 0

/** Maps the platform's own session to a visitor. Any other result is nobody, whatever its type. */
export type PlatformAccess = (ctx: AppContext) => PlatformVisitor | Nobody | Promise<PlatformVisitor | Nobody>

const platformVisitor: t.Type<PlatformVisitor> = t.type({
  organisation: organisationCode,
  scopes: t.readonlyArray(new Choice(scopes, scopes.join(', '))),
  who: new Key(200),
})

/** The session of a visitor. `claims`: those of the cookie, which a logout ends; absent for visitors of the platform. */
export type Visitor = Session & Readonly<{ claims?: Authenticated }>

/** Browsers accept a cookie with this prefix only with `Secure` and `Path=/`, from this host alone. */
const cookieName = '__Host-account-import'

const cookie = (token: string, seconds: number): string =>
  `${cookieName}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Strict`

/**
 * Whether a page of this service sent a request that changes something, by `Sec-Fetch-Site`. Some browsers, and all browsers on
 * plain HTTP, send only `Origin`.
 */
export const isOwnRequest = (ctx: AppContext): boolean => {
  if (ctx.method === 'GET' || ctx.method === 'HEAD') return true
  const site = ctx.get('Sec-Fetch-Site')
  if (site !== '') return site === 'same-origin'
  const origin = ctx.get('Origin')
  return URL.canParse(origin) && new URL(origin).host === ctx.host
}

type LoginUseCases = Pick<UseCases, 'authenticate' | 'reauthenticate' | 'obtainToken' | 'endSession'>

/** The visitor of the platform, who is nobody where the result of `access` is no visitor. A request that has begun goes on, whatever the platform decides meanwhile. */
const visitorOfPlatform = async (
  ctx: AppContext,
  access: PlatformAccess,
): Promise<Either<Refusal, Visitor>> => {
  const known = platformVisitor.decode(await access(ctx))
  if (E.isLeft(known)) return E.left({ _tag: 'NotAuthenticated' })
  const { organisation, scopes, who } = known.right
  ctx.state.accountImport.organisation = organisation
  return E.right({ organisation, scopes, who, apiKeyId: who, inForce: async () => E.right(undefined) })
}

/** The visitor of a request: by the platform's session, otherwise by the token in the cookie. */
export const visitorOf = async (
  ctx: AppContext,
  useCases: LoginUseCases,
  access: PlatformAccess | undefined,
): Promise<Either<Refusal, Visitor>> => {
  if (access !== undefined) return visitorOfPlatform(ctx, access)
  const token = ctx.cookies.get(cookieName, { signed: false })
  if (token === undefined) return E.left({ _tag: 'NotAuthenticated' })
  return E.map((claims: Session & Authenticated): Visitor => ({ ...claims, claims }))(
    await sessionOf(ctx.state, useCases, token, 'pages'),
  )
}

/** Exchanges an API key for a token, and sets it as a cookie that expires with the token. The session of the cookie before it ends. */
export const logIn = async (
  ctx: AppContext,
  useCases: LoginUseCases,
  limits: Pick<KeyLimits, 'secondsToWait'>,
  apiKey: string,
): Promise<Either<Refusal, undefined>> => {
  const before = await visitorOf(ctx, useCases, undefined)
  const tokens = await useCases.obtainToken({
    credentials: { apiKey },
    address: ctx.ip,
    requestId: ctx.state.accountImport.requestId,
    secondsToWait: async (apiKeyId) => limits.secondsToWait(apiKeyId),
    use: 'pages',
  })
  if (E.isLeft(tokens)) return tokens
  const { token } = tokens.right
  const session = await sessionOf(ctx.state, useCases, token, 'pages')
  if (E.isLeft(session)) return session
  const left = E.isRight(before) ? await logOut(ctx, useCases, before.right) : before
  if (E.isLeft(left) && left.left._tag === 'PortFailure') return left
  const { issuedAt, expiresAt } = session.right
  ctx.set('Set-Cookie', cookie(token, (millisecondsOf(expiresAt) - millisecondsOf(issuedAt)) / 1000))
  return E.right(undefined)
}

/** Removes the cookie, and ends the session, so that a copy of the cookie is worth nothing. */
export const logOut = async (
  ctx: AppContext,
  { endSession }: Pick<LoginUseCases, 'endSession'>,
  { claims }: Visitor,
): Promise<Either<Refusal, undefined>> => {
  const ended =
    claims === undefined ? E.right(undefined) : await endSession(claims, ctx.state.accountImport.requestId)
  if (E.isLeft(ended)) return ended
  ctx.set('Set-Cookie', cookie('', 0))
  return E.right(undefined)
}
