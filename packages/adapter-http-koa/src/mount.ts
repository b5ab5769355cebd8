import type { SentPayload, UseCases } from '@account-import/core'
import type { Either } from '@account-import/core/adapter-kit'
import { E } from '@account-import/core/adapter-kit'
import { Lines, linesType, type Endpoint, type Refusal } from '@account-import/http-contract'
import type { Router } from '@koa/router'
import { addressDecoder } from './address.js'
import { admissible } from './admissible.js'
import { refuse, replyOf, send } from './answers.js'
import { authenticated } from './authenticated.js'
import { jsonBody } from './body/json-body.js'
import { linesBody } from './body/lines-body.js'
import { goneSignal } from './client-gone.js'
import type { AppContext, AppState } from './context.js'
import { routePath } from './route-path.js'
import type { Route } from './route.js'

/** Where addresses are put, with the base path before them, and what stands behind them. */
export type ApiRouter = Readonly<{ router: Router<AppState>; useCases: UseCases; basePath: string }>

/** The path of the request as it came, with everything that a host put before it. */
export const pathAsked = (ctx: AppContext): string => ctx.originalUrl.replace(/[?#].*$/, '')

const noBody: Either<never, SentPayload> = E.right({ payload: undefined })

const noLines: Either<never, AsyncIterable<never>> = E.right({
  async *[Symbol.asyncIterator]() {},
})

/**
 * Puts a route behind its endpoint's address. Checks in this order, and the first that fails answers: method,
 * Accept, token, scope, path, query, and only then the body is read.
 */
export const mount = <Params, Query, Body, Success, Status extends number, Tag extends Refusal['_tag']>(
  { router, useCases, basePath }: ApiRouter,
  endpoint: Endpoint<Params, Query, Body, Success, Status, Tag>,
  route: NoInfer<Route<Params, Query, Success, Status, Tag>>,
): void => {
  const decode = addressDecoder(endpoint)
  const types = endpoint.success instanceof Lines ? [linesType, 'application/json'] : undefined
  const takesLines = endpoint.body instanceof Lines
  const takesJson = endpoint.body !== undefined && !takesLines
  // With await rather than a chain of TaskEithers: this runs for every request, and the chain took a sixth of its time.
  const answerTo = async (ctx: AppContext, captures: readonly string[]) => {
    const admitted = admissible(ctx, endpoint.method, types)
    if (E.isLeft(admitted)) return admitted
    const identity = await authenticated(ctx, useCases, endpoint.scope)
    if (E.isLeft(identity)) return identity
    const address = decode(captures, ctx.query)
    if (E.isLeft(address)) return address
    const body = takesJson ? await jsonBody(ctx) : noBody
    if (E.isLeft(body)) return body
    const lines = takesLines ? linesBody(ctx) : noLines
    if (E.isLeft(lines)) return lines
    return route({
      organisation: identity.right.organisation,
      ...address.right,
      body: body.right,
      lines: lines.right,
      path: pathAsked(ctx),
      record: ctx.state.accountImport,
      gone: () => goneSignal(ctx.res),
    })()
  }
  router.all(routePath(basePath, endpoint.path), async (ctx) => {
    ctx.state.accountImport.route = endpoint.path
    const answer = await answerTo(ctx, ctx.captures ?? [])
    if (E.isLeft(answer)) refuse(ctx, answer.left)
    else send(ctx, replyOf(answer.right))
  })
}
