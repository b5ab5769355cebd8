import type {
  Actor,
  BulkLine,
  ClaimedRequest,
  RunReference,
  SentPayload,
  UseCases,
} from '@account-import/core'
import { E, type Either, pipe } from '@account-import/core/fp'
import {
  type Addresses,
  bodyLimitBytes,
  type Endpoint,
  endpoints,
  fieldErrorsOf,
  idempotencyKeyHeader,
  idempotencyKeyPattern,
  importRunHeader,
  importRunLine,
  importRunLineHeader,
  Lines,
  linesType,
  type Refusal,
  takesIdempotencyKey,
  type TransportRefusal,
} from '@account-import/http-contract'
import type { Router } from '@koa/router'
import { acceptable, addressDecoder, endWithAccess, routePath, tokenSession } from './admission.js'
import { called, refuse, type Reply, send } from './answers.js'
import { linesBody } from './body/lines-body.js'
import { bodyBytes, parsedAccount, parsedRequest, type ReadLong } from './body/whole-body.js'
import { type AppContext, type AppState, goneSignal, pathAsked, type Session, whenClosed } from './context.js'
import { firstReplyOf } from './idempotency.js'
import type { BodyPool, KeyLimits } from './limits.js'

type Added<A> = Either<Refusal, A> | Promise<Either<Refusal, A>>

/** A step reads what is known of a request, and adds to it or refuses it. It waits only if it returns a promise. */
export type Step<Known, A extends object> = (known: Known) => Added<A>

/** Steps in their order. The types grow with each, so that a step cannot stand before one whose result it reads. */
export type Steps<Start, Known> = Readonly<{
  step<A extends object>(next: Step<Known, A>): Steps<Start, Known & A>
  /** The first step that refuses ends the run. */
  run(start: Start): Promise<Either<Refusal, Known>>
}>

const stepsOf = <Start extends object, Known extends Start>(
  all: readonly Step<never, object>[],
): Steps<Start, Known> => ({
  step: (next) => stepsOf([...all, next as Step<never, object>]),
  run: async (start) => {
    let known: object = start
    for (const step of all) {
      const added = step(known as never)
      const outcome = added instanceof Promise ? await added : added
      if (E.isLeft(outcome)) return outcome
      known = { ...known, ...outcome.right }
    }
    return E.right(known as Known)
  },
})

/** A list without a step. */
export const noSteps = <Start extends object>(): Steps<Start, Start> => stepsOf([])

/** A request as Koa and the router give it. `gone`: the signal aborts when the client disconnects before the response is complete. */
export type Received = Readonly<{ ctx: AppContext; captures: readonly string[]; gone: () => AbortSignal }>

/** Refuses a request whose `Accept` has no type of the endpoint's responses. */
export const accept = ({ success }: Pick<Endpoint, 'success'>): Step<Pick<Received, 'ctx'>, object> => {
  const types = success instanceof Lines ? [linesType, 'application/json'] : undefined
  return ({ ctx }) => acceptable(ctx, types)
}

/** `by`: the actor that the audit log names. */
type Identified = Readonly<{ identity: Session; by: Actor }>

/** Refuses a request without a valid token or session, or that lacks a scope of the endpoint. */
export const authenticate =
  (
    useCases: Pick<UseCases, 'authenticate' | 'reauthenticate'>,
    { scopes }: Pick<Endpoint, 'scopes'>,
  ): Step<Pick<Received, 'ctx'>, Identified> =>
  async ({ ctx }) => {
    const { requestId, session } = ctx.state.accountImport
    const identity = session === undefined ? await tokenSession(ctx, useCases) : E.right(session)
    if (E.isLeft(identity)) return identity
    const { who } = identity.right
    return scopes.every((scope) => identity.right.scopes.includes(scope))
      ? E.right({ identity: identity.right, by: { who, requestId } })
      : E.left({ _tag: 'PermissionDenied' })
  }

/** `pace`: waits until the rate of the key allows so many more items; absent without a rate. */
type Paced = Readonly<{ pace: ((many: number) => Promise<void>) | undefined }>

/** Refuses a request beyond the limits of its key or organisation. */
export const limit =
  (limits: Pick<KeyLimits, 'admit' | 'pace'>): Step<Pick<Received, 'ctx' | 'gone'> & Identified, Paced> =>
  ({ ctx, gone, identity }) =>
    pipe(
      limits.admit(ctx, identity),
      E.map(() => ({ pace: limits.pace(identity.apiKeyId, gone) })),
    )

type Address = Readonly<{ params: Addresses[keyof Addresses]; query: Addresses[keyof Addresses] }>

const emptyAddress: Either<never, Address> = E.right({ params: {}, query: {} })

/** Decodes path parameters and query. */
export const decodeAddress = (
  endpoint: Pick<Endpoint, 'method' | 'path' | 'params' | 'query'>,
): Step<Pick<Received, 'ctx' | 'captures'>, Address> => {
  const decode = addressDecoder(endpoint)
  const isEmpty = endpoint.params === undefined && endpoint.query === undefined
  return ({ ctx, captures }) =>
    isEmpty && !ctx.url.includes('?') ? emptyAddress : decode(captures, ctx.query)
}

const keyName = idempotencyKeyHeader.toLowerCase()

type Keyed = Readonly<{ idempotencyKey: string | undefined }>

/** Reads the idempotency key, where the endpoint takes one. */
export const readIdempotencyKey = (
  endpoint: Parameters<typeof takesIdempotencyKey>[0],
): Step<Pick<Received, 'ctx'>, Keyed> => {
  const takesKey = takesIdempotencyKey(endpoint)
  return ({ ctx }) => {
    const idempotencyKey = takesKey ? ctx.req.headers[keyName] : undefined
    if (idempotencyKey === undefined) return E.right({ idempotencyKey })
    return typeof idempotencyKey === 'string' && idempotencyKeyPattern.test(idempotencyKey)
      ? E.right({ idempotencyKey })
      : E.left({ _tag: 'IdempotencyKeyNotValid' })
  }
}

const runName = importRunHeader.toLowerCase()

const lineName = importRunLineHeader.toLowerCase()

type Running = Readonly<{ importRun: RunReference | undefined }>

/** Reads the import run that a request names, and the line number of its first line in the source of the run. */
export const readImportRun =
  ({ namesRun }: Pick<Endpoint, 'namesRun'>): Step<Pick<Received, 'ctx'>, Running> =>
  ({ ctx: { req } }) => {
    const id = namesRun === true ? req.headers[runName] : undefined
    if (id === undefined) return E.right({ importRun: undefined })
    return pipe(
      importRunLine.decode({ [importRunLineHeader]: req.headers[lineName] }),
      E.bimap(
        (errors): Refusal => ({ _tag: 'RequestNotValid', errors: fieldErrorsOf(errors) }),
        // Repeated headers are joined by a comma, so they name no run.
        (read) => ({ importRun: { id: String(id), firstLine: read[importRunLineHeader] } }),
      ),
    )
  }

/** `bytes`: those of a JSON value, if the endpoint takes one; `lines`: read on demand. */
type Body = Readonly<{
  bytes: Uint8Array | undefined
  lines: AsyncIterable<BulkLine> | readonly never[]
}>

/** Reads the body, last of all, so that a refused request costs no memory. */
export const readBody =
  (
    { pool, readLong }: Pick<ApiRouter, 'pool' | 'readLong'>,
    { body }: Pick<Endpoint, 'body'>,
  ): Step<Pick<Received, 'ctx' | 'gone'> & Identified & Paced, Body> =>
  async ({ ctx, gone, identity, pace }) => {
    const owner = { organisation: identity.organisation, key: identity.apiKeyId }
    if (body === undefined) return E.right({ bytes: undefined, lines: [] })
    if (body instanceof Lines) {
      const lines = await linesBody(ctx, {
        pace,
        hold: (bytes) => pool.take(owner, bytes, gone()),
        parse: (bytes) => parsedAccount(bytes, { readLong, gone }),
      })
      return E.isLeft(lines) ? lines : E.right({ bytes: undefined, lines: lines.right })
    }
    const hold = async (length: number): Promise<Either<TransportRefusal, unknown>> => {
      const room = await pool.takeSoon(owner, length, gone())
      if (E.isRight(room)) whenClosed(ctx.res, room.right)
      return room
    }
    return pipe(
      await bodyBytes(ctx, { limit: bodyLimitBytes, hold }),
      E.map((bytes) => ({ bytes, lines: [] })),
    )
  }

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
