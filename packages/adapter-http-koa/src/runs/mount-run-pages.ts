import { type Authenticated, millisecondsOf, type Scope } from '@account-import/core'
import { E, type Either } from '@account-import/core/fp'
import {
  type Addresses,
  cursorText,
  failurePlaceText,
  problemOf,
  type Refusal,
  runPlaceText,
} from '@account-import/http-contract'
import { addressDecoder, authenticated, routePath } from '../admission.js'
import { refused, type Reply, send } from '../answers.js'
import { bodyBytes } from '../body/body-bytes.js'
import { type AppContext, isClientGone } from '../context.js'
import { htmlType, pagePolicy } from '../docs/mount-docs.js'
import { siteFiles } from '../docs/site-files.js'
import type { ApiRouter } from '../mount.js'
import { type PageFrame, refusalPage, runPage, runsPage } from './pages.js'

/** Browsers accept a cookie with this prefix only with `Secure` and `Path=/`, from this host alone. */
const cookieName = '__Host-account-import'

const cookie = (token: string, seconds: number): string =>
  `${cookieName}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Strict`

/** The scope that the pages need. */
const scopes: readonly Scope[] = ['read']

type Access = Pick<ApiRouter, 'useCases' | 'limits'>

/** The claims of the token in the cookie, if it is valid and has the scope, and its key is within its limits. */
const visitor = async (
  ctx: AppContext,
  { useCases, limits }: Access,
): Promise<Either<Refusal, Authenticated>> => {
  const token = ctx.cookies.get(cookieName, { signed: false })
  if (token === undefined) return E.left({ _tag: 'NotAuthenticated' })
  const identity = await authenticated(ctx, useCases, scopes, token)
  if (E.isLeft(identity)) return identity
  const within = await limits.admit(ctx, identity.right)
  return E.isLeft(within) ? within : identity
}

/**
 * Whether a page of this service sent the form, by `Sec-Fetch-Site`. Some browsers, and all browsers on plain HTTP, send only
 * `Origin`.
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
  const form = await bodyBytes(ctx, { limit: formLimitBytes, mediaType: formType })
  if (E.isLeft(form)) return form
  return E.right(new URLSearchParams(Buffer.from(form.right).toString()).get('api_key')?.trim() ?? '')
}

/** Exchanges the API key of the form for a token, and sets it as a cookie that expires with the token. */
const logIn = async (ctx: AppContext, { useCases, limits }: Access): Promise<Either<Refusal, undefined>> => {
  const apiKey = await apiKeyIn(ctx)
  if (E.isLeft(apiKey)) return apiKey
  const tokens = await useCases.obtainToken({
    credentials: { apiKey: apiKey.right },
    address: ctx.ip,
    requestId: ctx.state.accountImport.requestId,
    secondsToWait: (apiKeyId) => limits.secondsToWait(apiKeyId),
    use: 'pages',
  })
  if (E.isLeft(tokens)) return tokens
  const { token } = tokens.right
  const identity = await authenticated(ctx, useCases, scopes, token)
  if (E.isLeft(identity)) return identity
  const { issuedAt, expiresAt } = identity.right
  ctx.set('Set-Cookie', cookie(token, (millisecondsOf(expiresAt) - millisecondsOf(issuedAt)) / 1000))
  return E.right(undefined)
}

/** Removes the cookie. The token itself is valid until it expires. */
const logOut = (ctx: AppContext): Either<Refusal, undefined> => {
  if (!isOwnForm(ctx)) return E.left({ _tag: 'PermissionDenied' })
  ctx.set('Set-Cookie', cookie('', 0))
  return E.right(undefined)
}

/** Under the policy `no-referrer` of other answers, browsers would send `Origin: null` with the forms. */
const pageHeaders = { 'Content-Security-Policy': pagePolicy, 'Referrer-Policy': 'same-origin' }

const limit = 50

type Answer = Promise<Either<Refusal, Reply>>

const replied = (status: number, body: string, headers: Reply['headers'] = {}): Either<never, Reply> =>
  E.right({ status, headers, body, type: htmlType })

const redirected = (status: 302 | 303, address: string): Either<never, Reply> =>
  replied(status, '', { Location: address })

/** Codes of markets that a host adds have no page. */
const frameAt = async (root: string): Promise<PageFrame> => {
  const files = await siteFiles()
  return { root, hasPage: (code) => Object.hasOwn(files, `errors/${code}/`) }
}

/**
 * Mounts pages of import runs for browsers at `/runs/`. They need the scope `read`, and change nothing but the cookie of the
 * browser.
 */
export const mountRunPages = (api: ApiRouter): void => {
  const { router, basePath, useCases } = api

  /** The relative address of the folder in which `runs/` and `docs/` are. */
  const rootOf = (ctx: AppContext): string =>
    '../'.repeat(ctx.path.slice(basePath.length).split('/').length - 2) || './'

  const refusedPage = async (ctx: AppContext, refusal: Refusal): Promise<Reply> => {
    const record = ctx.state.accountImport
    const body = refusalPage(await frameAt(rootOf(ctx)), problemOf(refusal, record.requestId))
    return { ...refused(record, refusal), body, type: htmlType }
  }

  const put = (
    route: string,
    allow: readonly string[],
    answer: (ctx: AppContext, captures: readonly string[]) => Answer,
    pattern = routePath(basePath, route),
  ): void => {
    router.all(pattern, async (ctx) => {
      ctx.state.accountImport.route = route
      ctx.set(pageHeaders)
      const asked: Answer = allow.includes(ctx.method)
        ? answer(ctx, ctx.captures ?? [])
        : Promise.resolve(E.left({ _tag: 'MethodNotAllowed', allow }))
      const reply = await asked.catch((cause: unknown): Either<Refusal, Reply> => {
        if (isClientGone(cause)) throw cause
        return E.left({ _tag: 'Unexpected', cause })
      })
      send(ctx, E.isLeft(reply) ? await refusedPage(ctx, reply.left) : reply.right)
    })
  }

  /** A page that needs a login. The login form is sent to the address of the page that it replaces. */
  const putPage = <Params extends keyof Addresses, Query extends keyof Addresses>(
    address: Readonly<{ path: string; params?: Params; query: Query }>,
    page: (
      frame: PageFrame,
      asked: Readonly<{ organisation: string; params: Addresses[Params]; query: Addresses[Query] }>,
    ) => Answer,
  ): void => {
    const decode = addressDecoder(address)
    put(address.path, ['GET', 'HEAD', 'POST'], async (ctx, captures) => {
      // Links are relative to an address that ends with a slash.
      if (!ctx.path.endsWith('/')) return redirected(302, `./${ctx.path.replace(/^.*\//, '')}/${ctx.search}`)
      if (ctx.method === 'POST') {
        const session = await logIn(ctx, api)
        return E.isLeft(session) ? session : redirected(303, `./${ctx.search}`)
      }
      const identity = await visitor(ctx, api)
      if (E.isLeft(identity)) return identity
      const asked = decode(captures, ctx.query)
      if (E.isLeft(asked)) return asked
      const { organisation } = identity.right
      return page(await frameAt(rootOf(ctx)), { organisation, ...asked.right })
    })
  }

  putPage({ path: '/runs/', query: 'runs' }, async (frame, { organisation, query }) => {
    const { cursor: after, import_supplier: importSupplier } = query
    const runs = await useCases.importRunsPage({ organisation, importSupplier, after, limit })
    if (E.isLeft(runs)) return runs
    const { items, next } = runs.right
    const page = { items, isFirst: after === undefined, next: next && cursorText(runPlaceText(next)) }
    return replied(200, runsPage(frame, page))
  })

  put('/runs/log-out/', ['POST'], async (ctx) => {
    const session = logOut(ctx)
    return E.isLeft(session) ? session : redirected(303, rootOf(ctx) + 'runs/')
  })

  putPage(
    { path: '/runs/{import_run}/', params: 'run', query: 'failures' },
    async (frame, { organisation, params: { import_run: id }, query: { cursor: after } }) => {
      const counted = await useCases.importRun({ organisation, id })
      if (E.isLeft(counted)) return counted
      const failures = await useCases.importRunFailures({ organisation, id, after, limit })
      if (E.isLeft(failures)) return failures
      const { items, next } = failures.right
      const page = { items, isFirst: after === undefined, next: next && cursorText(failurePlaceText(next)) }
      return replied(200, runPage(frame, counted.right, page))
    },
  )

  const nothing = async (): Answer => E.left({ _tag: 'NothingHere' })
  put('unmatched', ['GET', 'HEAD'], nothing, `${routePath(basePath, '/runs')}/*path`)
}
