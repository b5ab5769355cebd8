import { type Authenticated, millisecondsOf, type Scope } from '@account-import/core'
import { E, type Either } from '@account-import/core/adapter-kit'
import type { Refusal } from '@account-import/http-contract'
import { authenticated } from '../admission.js'
import { bodyBytes } from '../body/json-body.js'
import type { AppContext } from '../context.js'
import type { ApiRouter } from '../mount.js'

/** Browsers take a cookie of such a name only with `Secure` and `Path=/`, from this host alone. */
const cookieName = '__Host-account-import'

const cookie = (token: string, seconds: number): string =>
  `${cookieName}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Strict`

/** Pages show what this scope may read. */
const scope: Scope = 'read'

type Access = Pick<ApiRouter, 'useCases' | 'limits'>

/** The owner of the token in the cookie, if it is valid, may read, and is within the limits of its key. */
export const visitor = async (
  ctx: AppContext,
  { useCases, limits }: Access,
): Promise<Either<Refusal, Authenticated>> => {
  const token = ctx.cookies.get(cookieName, { signed: false })
  if (token === undefined) return E.left({ _tag: 'NotAuthenticated' })
  const identity = await authenticated(ctx, useCases, scope, E.right(token))
  if (E.isLeft(identity)) return identity
  const within = await limits.admit(ctx, identity.right.apiKeyId)
  return E.isLeft(within) ? within : identity
}

/**
 * Whether a page of this service sent the form. Browsers say so by `Sec-Fetch-Site`; those that do not, and all where the page came
 * by plain HTTP, by `Origin`.
 */
const isOwnForm = (ctx: AppContext): boolean => {
  const site = ctx.get('Sec-Fetch-Site')
  if (site !== '') return site === 'same-origin'
  const origin = ctx.get('Origin')
  return URL.canParse(origin) && new URL(origin).host === ctx.host
}

const formType = 'application/x-www-form-urlencoded'
const formLimitBytes = 4096

const apiKeyIn = async (ctx: AppContext): Promise<Either<Refusal, string>> => {
  if (!isOwnForm(ctx)) return E.left({ _tag: 'PermissionDenied' })
  const form = await bodyBytes(ctx, undefined, formLimitBytes, formType)
  if (E.isLeft(form)) return form
  return E.right(new URLSearchParams(Buffer.from(form.right).toString()).get('api_key')?.trim() ?? '')
}

/** Exchanges the API key of the form for a token, which becomes the cookie and lives no longer than it. */
export const logIn = async (
  ctx: AppContext,
  { useCases, limits }: Access,
): Promise<Either<Refusal, undefined>> => {
  const apiKey = await apiKeyIn(ctx)
  if (E.isLeft(apiKey)) return apiKey
  const tokens = await useCases.obtainToken({
    credentials: { apiKey: apiKey.right },
    address: ctx.ip,
    requestId: ctx.state.accountImport.requestId,
    secondsToWait: (apiKeyId) => limits.secondsToWait(apiKeyId),
  })()
  if (E.isLeft(tokens)) return tokens
  const { token } = tokens.right
  const identity = await authenticated(ctx, useCases, scope, E.right(token))
  if (E.isLeft(identity)) return identity
  const { issuedAt, expiresAt } = identity.right
  ctx.set('Set-Cookie', cookie(token, (millisecondsOf(expiresAt) - millisecondsOf(issuedAt)) / 1000))
  return E.right(undefined)
}

/** Takes the cookie back. The token itself stays valid until it expires. */
export const logOut = (ctx: AppContext): Either<Refusal, undefined> => {
  if (!isOwnForm(ctx)) return E.left({ _tag: 'PermissionDenied' })
  ctx.set('Set-Cookie', cookie('', 0))
  return E.right(undefined)
}
