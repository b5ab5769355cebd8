import type { AccessTokenClaims, Either, TaskEither, UseCases } from '@account-import/core'
import { E } from '@account-import/core'
import type { Endpoint, Refusal } from '@account-import/http-contract'
import type { Router } from '@koa/router'
import { addressDecoder } from './address.js'
import { admissible } from './admissible.js'
import type { Reply } from './answers.js'
import { refuse, send } from './answers.js'
import { authenticated } from './authenticated.js'
import { jsonBody } from './body/json-body.js'
import type { AppContext, AppState } from './context.js'
import { routePath } from './route-path.js'

/** What a route gets: who asks, and what, decoded as far as the endpoint's codecs go. */
export type RouteRequest<Params, Query> = Readonly<{
  identity: AccessTokenClaims
  params: Params
  query: Query
  /** The parsed JSON as it came, `undefined` for endpoints without a body. */
  body: unknown
  /** The path as it was asked for, percent-encoded, with everything that a host put before it. */
  path: string
}>

export type Route<Params, Query> = (request: RouteRequest<Params, Query>) => TaskEither<Refusal, Reply>

/** Where routes are put, and what stands behind them. */
export type House = Readonly<{ router: Router<AppState>; useCases: UseCases; basePath: string }>

/** The path of the request as it came, with everything that a host put before it. */
export const pathAsked = (ctx: AppContext): string => ctx.originalUrl.replace(/[?#].*$/, '')

const noBody: Either<never, undefined> = E.right(undefined)

/**
 * Puts a route behind its endpoint's address. Checks in this order, and the first that fails answers: method,
 * Accept, token, scope, path, query, and only then the body is read.
 */
export const mount = <Params, Query, Body, Success>(
  { router, useCases, basePath }: House,
  endpoint: Endpoint<Params, Query, Body, Success>,
  route: Route<Params, Query>,
): void => {
  const decode = addressDecoder(endpoint)
  // Written with awaits and not as a chain: this runs for every request, and the chain cost a sixth of its time.
  const replyTo = async (ctx: AppContext, captures: readonly string[]): Promise<Either<Refusal, Reply>> => {
    const admitted = admissible(ctx, endpoint.method)
    if (E.isLeft(admitted)) return admitted
    const identity = await authenticated(ctx, useCases, endpoint.scope)
    if (E.isLeft(identity)) return identity
    const address = decode(captures, ctx.query)
    if (E.isLeft(address)) return address
    const body = endpoint.body === undefined ? noBody : await jsonBody(ctx)
    if (E.isLeft(body)) return body
    const { params, query } = address.right
    return route({ identity: identity.right, params, query, body: body.right, path: pathAsked(ctx) })()
  }
  router.all(routePath(basePath, endpoint.path), async (ctx) => {
    ctx.state.accountImport.route = endpoint.path
    const reply = await replyTo(ctx, ctx.captures ?? [])
    if (E.isLeft(reply)) refuse(ctx, reply.left)
    else send(ctx, reply.right)
  })
}
