import { detailOf, type ErrorCode, type FieldError, type UseCases } from '@account-import/core'
import { E, type Either } from '@account-import/core/fp'
import {
  graphqlAddress,
  graphqlBodyLimitBytes,
  graphqlErrorCodes,
  problemOf,
  type Refusal,
  type TransportRefusal,
} from '@account-import/http-contract'
import {
  execute,
  GraphQLError,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  validate,
  type ValidationRule,
} from 'graphql'
import { createHandler, type Handler } from 'graphql-http'
import { acceptable, addressDecoder, allowMethod, routePath } from '../admission.js'
import { noteFailure, refuse } from '../answers.js'
import { bodyBytes, parsedRequest } from '../body/whole-body.js'
import type { AppContext } from '../context.js'
import type { KeyLimits } from '../limits.js'
import type { ApiRouter } from '../mount.js'
import { type GraphqlContext, graphqlSchema, refusalError, type RefusedToken } from './schema.js'

/**
 * Refuses operations whose fields are nested deeper than `most` levels. Fragments are counted at each spread: with 100 tokens, a
 * document has at most some thousand spreads.
 */
const depthRule =
  (most: number): ValidationRule =>
  (context) => {
    /** `within`: the fragments around the set, so that a cycle ends; a rule of graphql-js refuses cycles. */
    const levelsOf = (set: SelectionSetNode | undefined, within: readonly string[]): number =>
      Math.max(
        0,
        ...(set?.selections ?? []).map((selection) => {
          if (selection.kind === Kind.FIELD) return 1 + levelsOf(selection.selectionSet, within)
          if (selection.kind === Kind.INLINE_FRAGMENT) return levelsOf(selection.selectionSet, within)
          const name = selection.name.value
          if (within.includes(name)) return 0
          return levelsOf(context.getFragment(name)?.selectionSet, [...within, name])
        }),
      )
    return {
      OperationDefinition(operation: OperationDefinitionNode) {
        if (levelsOf(operation.selectionSet, []) > most)
          context.reportError(
            new GraphQLError(`The operation is nested deeper than ${most} levels.`, { nodes: operation }),
          )
      },
    }
  }

/** A GraphQL request over HTTP, one operation in one object. */
type GraphqlRequest = Readonly<{
  query: string
  operationName: string | null
  variables: Readonly<Record<string, unknown>> | null
}>

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Finding = readonly [attr: string, code: ErrorCode]

const findingsOf = ({ query, operationName, variables }: Readonly<Record<string, unknown>>): Finding[] => [
  ...(query === undefined ? [['query', 'required'] as const] : []),
  ...(query !== undefined && typeof query !== 'string' ? [['query', 'invalid'] as const] : []),
  ...(typeof (operationName ?? '') === 'string' ? [] : [['operationName', 'invalid'] as const]),
  ...(isObject(variables ?? {}) ? [] : [['variables', 'not_a_dict'] as const]),
]

const fieldErrorOf = ([attr, code]: Finding): FieldError => ({
  detail: detailOf(code, { form: 'a text in quotes' }),
  code,
  attr,
})

const refused = (findings: readonly Finding[]): Either<TransportRefusal, never> =>
  E.left({ _tag: 'RequestNotValid', errors: findings.map(fieldErrorOf) })

/**
 * Reads query, operation name and variables from a parsed body. Other members, also `extensions`, are ignored. A list of requests
 * (a batch) is refused.
 */
const graphqlRequest = (body: unknown): Either<TransportRefusal, GraphqlRequest> => {
  if (!isObject(body)) return refused([['', 'not_a_dict']])
  const findings = findingsOf(body)
  if (findings.length > 0) return refused(findings)
  const {
    query,
    operationName = null,
    variables = null,
  } = body as Partial<GraphqlRequest> & { query: string }
  return E.right({ query, operationName, variables })
}

const mostLevels = 5
/**
 * The mutation as the client sends it has 24. A document obtains up to six tokens: each failed attempt counts for its address and
 * key, and each token for the rate of its key, as if it had a request of its own.
 */
const mostTokens = 100

/** After these words, messages of graphql-js contain the sent value, which may be a secret. */
const valuePart = /(, found |got invalid value |value: |Syntax Error)[\s\S]*$/

/**
 * An error as clients see it. Errors of this module are unchanged; those of graphql-js get a code, and lose the values that they
 * quote. Any other thrown error becomes `INTERNAL`.
 */
const shownError = (error: Readonly<GraphQLError | Error>): GraphQLError => {
  if (!(error instanceof GraphQLError) || (error.originalError && !isOurs(error.originalError)))
    return new GraphQLError(detailOf('error'), { extensions: { code: graphqlErrorCodes.internal } })
  if (error.extensions['code'] !== undefined) return error
  const message = error.message.replace(valuePart, (_, words: string) => `${words.trim()} (not shown)`)
  return new GraphQLError(message, {
    nodes: error.nodes ?? null,
    source: error.source ?? null,
    positions: error.positions ?? null,
    extensions: { code: graphqlErrorCodes.badInput },
  })
}

const isOurs = (error: Error): boolean => error instanceof GraphQLError

/** The effect of a refusal on its HTTP response; without a status, the response has the status of GraphQL. */
type RefusalHead = Readonly<{ status?: number; headers: Readonly<Record<string, string>> }>

/**
 * Refused credentials keep the status 200 of GraphQL; failures of the service have the status of the problem table. `Retry-After`
 * is that of the problem table.
 */
const refusalHead = (refusal: RefusedToken): RefusalHead => {
  const { status, headers } = problemOf(refusal, '')
  const wait = headers['Retry-After']
  const ours = refusal._tag === 'PortFailure' || refusal._tag === 'Unexpected'
  return { ...(ours ? { status } : {}), headers: wait === undefined ? {} : { 'Retry-After': wait } }
}

/**
 * Runs GraphQL requests. Documents are bounded in size and depth. `introspection`: whether clients
 * may read the schema, by introspection and by suggestions in errors.
 */
const graphqlHandler = (
  useCases: Pick<UseCases, 'obtainToken'>,
  introspection: boolean,
): Handler<undefined, GraphqlContext> =>
  createHandler<undefined, GraphqlContext, GraphqlContext>({
    schema: graphqlSchema(useCases),
    context: ({ context }) => context,
    validationRules: [depthRule(mostLevels), ...(introspection ? [] : [NoSchemaIntrospectionCustomRule])],
    validate: (schema, document, rules, options, types) =>
      validate(schema, document, rules, { ...options, hideSuggestions: !introspection }, types),
    execute: (args) => execute({ ...args, hideSuggestions: !introspection }),
    parse: (source) => parse(source, { maxTokens: mostTokens }),
    formatError: shownError,
  })

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
      secondsToWait: async (apiKeyId) => limits.secondsToWait(apiKeyId),
      refused: (refusal) => refusals.push(refusal),
    },
  })
  ctx.status = status
  ctx.set(headers)
  ctx.body = body
  for (const refusal of refusals) markRefused(ctx, refusal)
}

const decodeAddress = addressDecoder(graphqlAddress)

const requestIn = async (ctx: AppContext): Promise<Either<Refusal, GraphqlRequest>> => {
  const allowed = allowMethod(graphqlAddress.method, ctx.method)
  const admitted = E.isLeft(allowed) ? allowed : acceptable(ctx, types)
  if (E.isLeft(admitted)) return admitted
  const address = decodeAddress([], ctx.query)
  if (E.isLeft(address)) return address
  const bytes = await bodyBytes(ctx, { limit: graphqlBodyLimitBytes })
  if (E.isLeft(bytes)) return bytes
  const body = await parsedRequest(bytes.right)
  return E.isLeft(body) ? body : graphqlRequest(body.right.payload)
}

/** Mounts GraphQL. It needs no token; its body is read like that of other requests, with a lower limit. */
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
