import type { ErrorCode } from '@account-import/core'
import type { ObtainedToken, ObtainTokenInput } from '@account-import/http-contract'
import {
  graphqlAddress,
  graphqlErrorCodes,
  obtainedToken,
  obtainTokenMutation,
} from '@account-import/http-contract'
import * as t from 'io-ts'
import type { CallOptions } from './call-options.js'
import {
  isFailure,
  limitedExchange,
  readWhole,
  requestIdOf,
  retryAfterOf,
  send,
  type Exchanged,
} from './exchange.js'
import { failureOf } from './read-answer.js'
import { ownFailure, serviceFailure, type Failure } from './result.js'

const graphqlAnswer = t.type({ data: t.type({ obtainToken: obtainedToken }) })
const graphqlFailure = t.type({
  errors: t.array(
    t.intersection([t.type({ message: t.string }), t.partial({ extensions: t.type({ code: t.string }) })]),
  ),
})

/** GraphQL answers refused credentials with 200; these are the statuses that its codes stand for elsewhere. */
const asElsewhere = new Map<string | undefined, readonly [status: number, code: ErrorCode]>([
  [graphqlErrorCodes.authenticationFailed, [401, 'authentication_failed']],
  [graphqlErrorCodes.tooManyAttempts, [429, 'throttled']],
  [graphqlErrorCodes.unavailable, [503, 'service_unavailable']],
  [graphqlErrorCodes.internal, [500, 'error']],
])

const noToken = (exchanged: Exchanged): Failure => {
  const { response, json } = exchanged
  const error = graphqlFailure.is(json) ? json.errors[0] : undefined
  const [status, code] = asElsewhere.get(error?.extensions?.code) ?? []
  // Every service has this address: what is missing is the service.
  if (response.status === 404)
    return ownFailure('unexpected_answer', 'There is no account import service at this address.', {
      status: 404,
      requestId: requestIdOf(response),
    })
  if (error === undefined || status === undefined || code === undefined) return failureOf(exchanged)
  const head = { status, requestId: requestIdOf(response), ...retryAfterOf(response) }
  return serviceFailure({ detail: error.message, code, errors: [] }, head)
}

/** Exchanges an API key or a refresh token for tokens. */
export const obtainToken = async (
  fetch: typeof globalThis.fetch,
  baseUrl: string,
  input: ObtainTokenInput,
  options: CallOptions,
): Promise<ObtainedToken | Failure> => {
  const init = {
    method: graphqlAddress.method,
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ query: obtainTokenMutation, variables: { input } }),
  }
  const exchanged = await limitedExchange(
    async (signal) => readWhole(await send(fetch, baseUrl + graphqlAddress.path, { ...init, signal })),
    options,
  )
  if (isFailure(exchanged)) return exchanged
  return graphqlAnswer.is(exchanged.json) ? exchanged.json.data.obtainToken : noToken(exchanged)
}
