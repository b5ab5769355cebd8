import type { UseCases } from '@account-import/core'
import type { Either } from '@account-import/core/adapter-kit'
import { E } from '@account-import/core/adapter-kit'
import {
  Lines,
  linesType,
  takesIdempotencyKey,
  type Endpoint,
  type Refusal,
} from '@account-import/http-contract'
import type { Router } from '@koa/router'
import { addressDecoder } from './address.js'
import { admissible } from './admissible.js'
import { actorOf } from './actor-of.js'
import { answeredOnce, idempotencyKeyIn } from './answered-once.js'
import { refuse, send, type Reply } from './answers.js'
import { authenticated } from './authenticated.js'
import { jsonBytes } from './body/body-bytes.js'
import type { AppContext, AppState } from './context.js'
import type { KeyLimits } from './limits/key-limits.js'
import { longBodyBytes } from './limits/work-budgets.js'
import type { LongBodies } from './long-bodies/long-request.js'
import { answeredElsewhere } from './long-bodies/answered-elsewhere.js'
import { goneSignal } from './client-gone.js'
import type { Admitted } from './admitted.js'
import { routeAnswer } from './route-answer.js'
import { routePath } from './route-path.js'
import type { PacedResults, Route } from './route.js'

/** Where addresses are put, with the base path before them, and what stands behind them. */
export type ApiRouter = Readonly<{
  router: Router<AppState>
  useCases: UseCases
  basePath: string
  limits: KeyLimits
  longBodies?: LongBodies | undefined
}>

type Paced = Admitted<unknown, unknown>['paced']

const noKey: Either<never, undefined> = E.right(undefined)

const noBytes: Either<never, Uint8Array> = E.right(new Uint8Array())

/**
 * Puts a route behind its endpoint's address. Checks in this order, and the first that fails answers: method,
 * Accept, token, scope, the limits of the key, path, query, idempotency key, and only then the body is read.
 */
export const mount = <Params, Query, Body, Success, Status extends number, Tag extends Refusal['_tag']>(
  { router, useCases, basePath, limits, longBodies }: ApiRouter,
  endpoint: Endpoint<Params, Query, Body, Success, Status, Tag>,
  route: NoInfer<Route<Params, Query, Success, Status, Tag>>,
): void => {
  const decode = addressDecoder(endpoint)
  const types = endpoint.success instanceof Lines ? [linesType, 'application/json'] : undefined
  const takesLines = endpoint.body instanceof Lines
  const takesJson = endpoint.body !== undefined && !takesLines
  const takesKey = takesIdempotencyKey(endpoint)
  const answeredHere = routeAnswer(takesLines ? 'lines' : takesJson ? 'json' : 'none', route, longBodies)
  const elsewhere = endpoint.success instanceof Lines ? undefined : longBodies
  const answerOf: typeof answeredHere = (ctx, request) =>
    elsewhere !== undefined && request.bytes.length >= longBodyBytes
      ? answeredElsewhere(ctx, endpoint.path, request, elsewhere)
      : answeredHere(ctx, request)
  const namedBy = ({ params }: Readonly<{ params: Params }>): string =>
    `${endpoint.path} ${JSON.stringify(params)}`
  // With await rather than a chain of TaskEithers: this runs for every request, and the chain took a sixth of its time.
  const replyTo = async (ctx: AppContext, captures: readonly string[]): Promise<Either<Refusal, Reply>> => {
    const admitted = admissible(ctx, endpoint.method, types)
    if (E.isLeft(admitted)) return admitted
    const identity = await authenticated(ctx, useCases, endpoint.scope)
    if (E.isLeft(identity)) return identity
    const passed = limits.admit(ctx, identity.right.apiKeyId)
    const within = passed instanceof Promise ? await passed : passed
    if (E.isLeft(within)) return within
    const address = decode(captures, ctx.query)
    if (E.isLeft(address)) return address
    const key = takesKey ? idempotencyKeyIn(ctx) : noKey
    if (E.isLeft(key)) return key
    const { organisation, apiKeyId } = identity.right
    const owner = { key: apiKeyId, budgets: limits.budgets }
    const bytes = takesJson ? await jsonBytes(ctx, owner) : noBytes
    if (E.isLeft(bytes)) return bytes
    const inForce = useCases.reauthenticate(identity.right)
    const by = actorOf(identity.right, ctx.state.accountImport.requestId)
    const paced: Paced = (lines) => limits.pacedLines(apiKeyId, lines, () => goneSignal(ctx.res))
    const pacedResults: PacedResults = (pages) =>
      limits.pacedResults(apiKeyId, pages, () => goneSignal(ctx.res))
    const limited = { inForce, owner, paced, pacedResults }
    const request = { organisation, by, address: address.right, bytes: bytes.right, ...limited }
    return key.right === undefined
      ? answerOf(ctx, request)
      : answeredOnce(ctx, useCases, { ...request, path: namedBy(address.right), key: key.right }, (claimed) =>
          answerOf(ctx, { ...request, claimed }),
        )
  }
  router.all(routePath(basePath, endpoint.path), async (ctx) => {
    ctx.state.accountImport.route = endpoint.path
    const reply = await replyTo(ctx, ctx.captures ?? [])
    if (E.isLeft(reply)) refuse(ctx, reply.left)
    else send(ctx, reply.right)
  })
}
