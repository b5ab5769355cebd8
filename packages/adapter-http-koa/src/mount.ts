import type { ClaimedRequest, SentPayload, UseCases } from '@account-import/core'
import { E, type Either } from '@account-import/core/fp'
import { type Endpoint, endpoints, type Refusal } from '@account-import/http-contract'
import type { Router } from '@koa/router'
import { endWithAccess, routePath } from './admission.js'
import { called, refuse, type Reply, send } from './answers.js'
import { parsedAccount, parsedRequest, type ReadLong } from './body/json-body.js'
import { type AppContext, type AppState, goneSignal, pathAsked } from './context.js'
import {
  accept,
  authenticate,
  decodeAddress,
  limit,
  readBody,
  readIdempotencyKey,
  readImportRun,
  type Received,
} from './endpoint-steps.js'
import { firstReplyOf } from './idempotency.js'
import type { KeyLimits } from './limits/key-limits.js'
import type { BodyPool } from './limits/body-pool.js'
import { noSteps, type Steps } from './steps.js'

/** The router of the API, the base path of its addresses, and the dependencies of its handlers. */
export type ApiRouter = Readonly<{
  router: Router<AppState>
  useCases: UseCases
  basePath: string
  limits: KeyLimits
  pool: BodyPool
  readLong?: ReadLong | undefined
  recheckMilliseconds: number
}>

/** The checks of an endpoint. The first that refuses decides the answer; docs/reference/api.md lists them in this order. */
const admission = (api: ApiRouter, endpoint: Endpoint) =>
  noSteps<Received>()
    .step(accept(endpoint)) //                  406
    .step(authenticate(api.useCases, endpoint)) // 401, 403
    .step(limit(api.limits)) //                 429
    .step(decodeAddress(endpoint)) //           404, 400
    .step(readIdempotencyKey(endpoint)) //      400
    .step(readImportRun(endpoint)) //           400
    .step(readBody(api, endpoint)) //           415, 413, 429, 503

type Admitted = ReturnType<typeof admission> extends Steps<Received, infer Known> ? Known : never

const noBody: Either<never, SentPayload> = E.right({ payload: undefined })

/** Calls the use case of an endpoint for an admitted request. */
const replyTo =
  ({ useCases, readLong, recheckMilliseconds }: ApiRouter, endpoint: Endpoint) =>
  async (request: Admitted, claimed?: ClaimedRequest): Promise<Either<Refusal, Reply>> => {
    const { ctx, gone, identity, by, pace, params, query, importRun, bytes, lines } = request
    const { organisation, scopes } = identity
    const body =
      bytes === undefined
        ? noBody
        : await (endpoint.body === 'account' ? parsedAccount : parsedRequest)(bytes, { readLong, gone })
    if (E.isLeft(body)) return body
    const reply = await called(endpoint, useCases, {
      organisation,
      by,
      scopes,
      claimed,
      importRun,
      params,
      query,
      path: pathAsked(ctx),
      body: body.right,
      lines,
      pace,
      record: ctx.state.accountImport,
      gone,
    })
    if (E.isRight(reply) && typeof reply.right.body !== 'string')
      endWithAccess(ctx, identity.inForce, recheckMilliseconds)
    return reply
  }

/** Answers requests to one endpoint. */
type Handler = (received: Received) => Promise<Either<Refusal, Reply>>

const noBytes = new Uint8Array()

/** With an idempotency key, `firstReplyOf` runs the call once, and repeats its reply. */
const handlerOf = (api: ApiRouter, endpoint: Endpoint): Handler => {
  const admitted = admission(api, endpoint)
  const reply = replyTo(api, endpoint)
  return async (received) => {
    const request = await admitted.run(received)
    if (E.isLeft(request)) return request
    const { ctx, identity, idempotencyKey: key, params, bytes = noBytes } = request.right
    if (key === undefined) return reply(request.right)
    // Equal for all spellings of an address.
    const path = `${endpoint.path} ${JSON.stringify(params)}`
    const { organisation } = identity
    return firstReplyOf(ctx, api.useCases, { organisation, path, key, bytes }, (claimed) =>
      reply(request.right, claimed),
    )
  }
}

const goneOf = ({ res }: AppContext): (() => AbortSignal) => {
  let signal: AbortSignal | undefined
  return () => (signal ??= goneSignal(res))
}

/** Mounts the endpoints of one path; GET allows HEAD too. */
const mount = (api: ApiRouter, path: string, ofPath: readonly Endpoint[]): void => {
  const handlers = new Map(ofPath.map((endpoint) => [endpoint.method as string, handlerOf(api, endpoint)]))
  const allow = [...handlers.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  const answer = async (ctx: AppContext, captures: readonly string[]): Promise<void> => {
    ctx.state.accountImport.route = path
    const handler = handlers.get(ctx.method === 'HEAD' ? 'GET' : ctx.method)
    const reply: Either<Refusal, Reply> =
      handler === undefined
        ? E.left({ _tag: 'MethodNotAllowed', allow })
        : await handler({ ctx, captures, gone: goneOf(ctx) })
    if (E.isLeft(reply)) refuse(ctx, reply.left)
    else send(ctx, reply.right)
  }
  api.router.all(routePath(api.basePath, path), (ctx) => answer(ctx, ctx.captures ?? []))
}

/** Mounts every endpoint of the contract. */
export const mountRoutes = (api: ApiRouter): void => {
  const all: readonly Endpoint[] = Object.values(endpoints)
  for (const path of new Set(all.map((endpoint) => endpoint.path)))
    mount(
      api,
      path,
      all.filter((endpoint) => endpoint.path === path),
    )
}
