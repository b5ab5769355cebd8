import type { Either } from '@account-import/core/adapter-kit'
import { E } from '@account-import/core/adapter-kit'
import type { Refusal } from '@account-import/http-contract'
import { graphqlAddress, graphqlBodyLimitBytes } from '@account-import/http-contract'
import type { Handler } from 'graphql-http'
import { admissible } from '../admissible.js'
import { noteFailure, refuse } from '../answers.js'
import { jsonBytes } from '../body/body-bytes.js'
import { jsonIn } from '../body/json-body.js'
import type { AppContext } from '../context.js'
import type { KeyLimits } from '../limits/key-limits.js'
import type { ApiRouter } from '../mount.js'
import { routePath } from '../route-path.js'
import type { GraphqlContext } from './graphql-context.js'
import type { RefusedToken } from './graphql-errors.js'
import { refusalError } from './graphql-errors.js'
import { graphqlHandler } from './graphql-handler.js'
import type { GraphqlRequest } from './graphql-request.js'
import { graphqlRequest } from './graphql-request.js'
import { refusalHead } from './refusal-head.js'

const json = 'application/json'
const graphqlJson = 'application/graphql-response+json'
const types = [json, `${json}; charset=utf-8`, graphqlJson, `${graphqlJson}; charset=utf-8`]

/** Sets status and headers of the answer for a refusal, and notes it for the log. */
const markRefused = (ctx: AppContext, refusal: RefusedToken): void => {
  const { status = ctx.status, headers } = refusalHead(refusal)
  ctx.status = status
  ctx.set(headers)
  const record = ctx.state.accountImport
  record.code = String(refusalError(refusal).extensions['code'])
  if (refusal._tag === 'RefreshTokenReused') record.refreshTokenReused = { apiKeyId: refusal.apiKeyId }
  noteFailure(record, refusal)
}

const answer = async (
  ctx: AppContext,
  handle: Handler<undefined, GraphqlContext>,
  request: GraphqlRequest,
  limits: KeyLimits,
): Promise<void> => {
  const accept = ctx.accepts(types) || json
  // A list, though a document asks for one token: the compiler does not see what a callback assigns.
  const refusals: RefusedToken[] = []
  const [body, { status, headers = {} }] = await handle({
    method: 'POST',
    url: graphqlAddress.path,
    headers: { 'content-type': json, accept },
    body: { ...request },
    raw: undefined,
    context: {
      address: ctx.ip,
      requestId: ctx.state.accountImport.requestId,
      secondsToWait: (apiKeyId) => limits.secondsToWait(apiKeyId),
      refused: (refusal) => refusals.push(refusal),
    },
  })
  ctx.status = status
  ctx.set(headers)
  ctx.body = body
  for (const refusal of refusals) markRefused(ctx, refusal)
}

const requestIn = async (ctx: AppContext): Promise<Either<Refusal, GraphqlRequest>> => {
  const admitted = admissible(ctx, graphqlAddress.method, types)
  if (E.isLeft(admitted)) return admitted
  const bytes = await jsonBytes(ctx, undefined, graphqlBodyLimitBytes)
  if (E.isLeft(bytes)) return bytes
  const body = await jsonIn(bytes.right, '')
  return E.isLeft(body) ? body : graphqlRequest(body.right.payload)
}

/** Puts GraphQL behind its address. It needs no token; its body is read as every other one, but has less room. */
export const mountGraphql = (
  { router, useCases, basePath, limits }: ApiRouter,
  introspection: boolean,
): void => {
  const handle = graphqlHandler(useCases, introspection)
  router.all(routePath(basePath, graphqlAddress.path), async (ctx) => {
    ctx.state.accountImport.route = graphqlAddress.path
    const request = await requestIn(ctx)
    if (E.isLeft(request)) refuse(ctx, request.left)
    else await answer(ctx, handle, request.right, limits)
  })
}
