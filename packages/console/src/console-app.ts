import { type AppOptions, type AppState, createApp, type KeyLimits } from '@account-import/adapter-http-koa'
import {
  type AppContext,
  endWithAccess,
  formOf,
  htmlType,
  isClientGone,
  pagePolicy,
  refuse,
  refused,
  type Reply,
  send,
  siteFiles,
} from '@account-import/adapter-http-koa/pages'
import type { UseCases } from '@account-import/core'
import { E, type Either } from '@account-import/core/fp'
import { problemOf, type Refusal } from '@account-import/http-contract'
import type Koa from 'koa'
import type { Middleware } from 'koa'
import { isOwnRequest, logIn, logOut, type PlatformAccess, type Visitor, visitorOf } from './access.js'
import { sendAsset } from './assets.js'
import type { Frame } from './layout.js'
import { refusalPage } from './pages/refusal-page.js'
import { type Answer, redirected, type Route, type Visit } from './route.js'
import { routes } from './routes.js'

/**
 * `access`: maps the platform's own session to a visitor; absent, visitors log in with an API key. `now`: milliseconds since 1970,
 * for relative times; the clock of the machine when absent.
 */
export type ConsoleOptions = Omit<AppOptions, 'pages'> &
  Readonly<{ service: Readonly<{ useCases: UseCases }>; access?: PlatformAccess; now?: () => number }>

type Console = Readonly<{
  useCases: UseCases
  access: PlatformAccess | undefined
  limits: KeyLimits
  now: () => number
  /** The path of the folder `console/`, without the slash at its end. */
  folder: string
}>

/** Under the policy `no-referrer` of other answers, browsers would send `Origin: null` with the forms. */
const pageHeaders = { 'Content-Security-Policy': pagePolicy, 'Referrer-Policy': 'same-origin' }

/** The relative address of the folder in which `console/` and `docs/` are. */
const rootOf = (path: string): string => '../'.repeat(path.split('/').length - 1)

const frameAt = async (path: string, visitor?: Visitor): Promise<Frame> => {
  const files = await siteFiles()
  return {
    root: rootOf(path),
    scopes: visitor?.scopes ?? [],
    who: visitor?.who,
    hasLogOut: visitor?.claims !== undefined,
    hasPage: (code) => Object.hasOwn(files, `errors/${code}/`),
  }
}

type Found = Readonly<{ route: Route; captures: readonly string[] }>

const decoded = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part)
  } catch {
    // A percent sign without two digits, or bytes that are no UTF-8.
    return undefined
  }
}

const patterns = routes.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replaceAll('{}', '([^/]+)').replaceAll('.', String.raw`\.`)}$`),
}))

/** `path`: undecoded, relative to the folder. */
const routeAt = (path: string): Found | undefined => {
  for (const { route, pattern } of patterns) {
    const match = pattern.exec(path)
    if (match === null) continue
    const captures = match.slice(1).map(decoded)
    if (captures.includes(undefined)) return undefined
    return { route, captures: captures as readonly string[] }
  }
  return undefined
}

const formLimitBytes = 4096

/** The page that a login leads to: below the folder, whatever the form says. */
const targetOf = (to: string): string => {
  const base = 'http://here/console/'
  if (!URL.canParse(to, base)) return ''
  const { href } = new URL(to, base)
  return href.startsWith(base) ? href.slice(base.length) : ''
}

/** Answers the form of the login. A refusal shows the form again. */
const answerLogin = async (ctx: AppContext, { useCases, limits }: Console): Answer => {
  const form = await formOf(ctx, formLimitBytes)
  if (E.isLeft(form)) return form
  const session = await logIn(ctx, useCases, limits, form.right.get('api_key')?.trim() ?? '')
  return E.isLeft(session) ? session : redirected(303, `../${targetOf(form.right.get('to') ?? '')}`)
}

/** The visitor of a page, within the limits of its key. */
const admitted = async (
  ctx: AppContext,
  { useCases, access, limits }: Console,
): Promise<Either<Refusal, Visitor>> => {
  const visitor = await visitorOf(ctx, useCases, access)
  if (E.isLeft(visitor)) return visitor
  const within = limits.admit(ctx, visitor.right)
  return E.isLeft(within) ? within : visitor
}

/** The access of a visitor is checked again in this interval while a page is sent. */
const recheckMilliseconds = 20_000

const answerRoute = async (
  ctx: AppContext,
  { useCases, now }: Console,
  { route, captures }: Found,
  visitor: Visitor,
  frame: Frame,
): Answer => {
  if (!route.scopes.every((scope) => visitor.scopes.includes(scope)))
    return E.left({ _tag: 'PermissionDenied' })
  const method = ctx.method === 'HEAD' ? 'GET' : ctx.method
  const answer = method === 'GET' || method === 'POST' ? route[method] : undefined
  if (answer === undefined)
    return E.left({
      _tag: 'MethodNotAllowed',
      allow: [...(route.GET ? ['GET', 'HEAD'] : []), ...(route.POST ? ['POST'] : [])],
    })
  const { organisation, who } = visitor
  const visit: Visit = {
    ctx,
    useCases,
    frame,
    visitor,
    organisation,
    by: { who, requestId: ctx.state.accountImport.requestId },
    captures,
    query: new URLSearchParams(ctx.querystring),
    now: now(),
  }
  const reply = await answer(visit)
  if (E.isRight(reply) && typeof reply.right.body !== 'string')
    endWithAccess(ctx, visitor.inForce, recheckMilliseconds)
  return reply
}

/** `path`: relative to the folder. */
const answerPath = async (
  ctx: AppContext,
  api: Console,
  path: string,
): Promise<Readonly<{ reply: Either<Refusal, Reply>; visitor?: Visitor }>> => {
  const record = ctx.state.accountImport
  if (path === 'log-in/' && api.access === undefined) {
    record.route = '/console/log-in/'
    if (ctx.method !== 'POST') return { reply: redirected(302, '../') }
    return { reply: await answerLogin(ctx, api) }
  }
  if (path === 'log-out/' && ctx.method === 'POST') {
    record.route = '/console/log-out/'
    // Limits of the key do not count: leaving always works.
    const leaving = await visitorOf(ctx, api.useCases, api.access)
    const ended = E.isLeft(leaving) ? leaving : await logOut(ctx, api.useCases, leaving.right)
    return { reply: E.isLeft(ended) ? ended : redirected(303, '../') }
  }
  const visitor = await admitted(ctx, api)
  if (E.isLeft(visitor)) return { reply: visitor }
  // Links are relative to an address that ends with a slash.
  if (!path.endsWith('/') && routeAt(`${path}/`) !== undefined)
    return { reply: redirected(302, `./${path.replace(/^.*\//, '')}/${ctx.search}`) }
  const found = routeAt(path)
  if (found === undefined) return { reply: E.left({ _tag: 'NothingHere' }), visitor: visitor.right }
  record.route = `/console/${found.route.path}`
  const frame = await frameAt(`console/${path}`, visitor.right)
  return { reply: await answerRoute(ctx, api, found, visitor.right, frame), visitor: visitor.right }
}

const helpsToLogIn = (refusal: Refusal, status: number): boolean =>
  status === 401 || refusal._tag === 'TooManyAttempts'

const answerPage = async (ctx: AppContext, api: Console, path: string): Promise<void> => {
  ctx.set(pageHeaders)
  const { reply, visitor } = isOwnRequest(ctx)
    ? await answerPath(ctx, api, path).catch((cause: unknown) => {
        if (isClientGone(cause)) throw cause
        return { reply: E.left<Refusal>({ _tag: 'Unexpected', cause }), visitor: undefined }
      })
    : { reply: E.left<Refusal>({ _tag: 'PermissionDenied' }), visitor: undefined }
  if (E.isRight(reply)) return send(ctx, reply.right)
  const record = ctx.state.accountImport
  const problem = problemOf(reply.left, record.requestId)
  const isLogin = api.access === undefined && helpsToLogIn(reply.left, problem.status)
  const to = path === 'log-in/' ? '' : path + ctx.search
  const frame = await frameAt(`console/${path}`, visitor)
  const body = refusalPage(frame, problem, isLogin ? to : undefined)
  send(ctx, { ...refused(record, reply.left), body, type: htmlType })
}

/** Lets a script of a page use the API in the name of its visitor, at the addresses of the API below `console/api/`. */
const passToApi = async (
  ctx: AppContext,
  { useCases, access, folder }: Console,
  path: string,
  next: () => Promise<unknown>,
): Promise<void> => {
  const visitor = isOwnRequest(ctx)
    ? await visitorOf(ctx, useCases, access)
    : E.left<Refusal>({ _tag: 'PermissionDenied' })
  if (E.isLeft(visitor)) return refuse(ctx, visitor.left)
  ctx.state.accountImport.session = visitor.right
  ctx.path = folder.replace(/\/console$/, '') + path.slice('api'.length)
  await next()
}

const consolePages =
  (api: Console): Middleware<AppState> =>
  async (ctx, next: () => Promise<unknown>) => {
    const { folder } = api
    const record = ctx.state.accountImport
    if (ctx.path === folder) {
      ctx.status = 302
      ctx.set('Location', `./console/${ctx.search}`)
      return
    }
    if (!ctx.path.startsWith(`${folder}/`)) return next()
    const path = ctx.path.slice(folder.length + 1)
    record.route = '/console/'
    if (path.startsWith('assets/')) {
      record.route = '/console/assets/'
      if (!(await sendAsset(ctx, path.slice('assets/'.length)))) refuse(ctx, { _tag: 'NothingHere' })
      return
    }
    if (path.startsWith('api/v1/')) return passToApi(ctx, api, path, next)
    await answerPage(ctx, api, path)
  }

/**
 * The account import API of `createApp` as a Koa application, with pages for people below `console/`: overview, runs, accounts,
 * undo, check and proof.
 */
export const consoleApp = ({
  service: { useCases },
  access,
  now = Date.now,
  ...options
}: ConsoleOptions): Koa<AppState> =>
  createApp(useCases, {
    ...options,
    pages: (limits, basePath) =>
      consolePages({ useCases, access, now, limits, folder: `${basePath}/console` }),
  })
