import type { Endpoint } from '@account-import/http-contract'
import { problemBody, readWarnings } from '@account-import/http-contract'
import type { Exchanged } from './exchange.js'
import { requestIdOf, retryAfterOf } from './exchange.js'
import { ownFailure, refusal, type Failure, type Result, type Warned } from './result.js'

const warnedOf = ({ headers }: Response): Warned => ({
  warnings: readWarnings(headers.get('Import-Warnings')),
  warningsTotal: Number(headers.get('Import-Warnings-Total') ?? 0),
})

const failureOf = ({ response, json }: Exchanged): Failure => {
  const shared = {
    status: response.status,
    requestId: requestIdOf(response),
    ...warnedOf(response),
    ...retryAfterOf(response),
  }
  return problemBody.is(json)
    ? refusal(json, shared)
    : ownFailure('unexpected_answer', 'This is not an answer of the account import service.', shared)
}

/** Judges an answer by the endpoint's statuses and body. */
export const readAnswer = <Success>(
  endpoint: Pick<Endpoint<unknown, unknown, unknown, Success>, 'statuses'> &
    Readonly<{ success: Readonly<{ is: (value: unknown) => value is Success }> }>,
  exchanged: Exchanged,
): Result<Success> => {
  const { response, json } = exchanged
  if (!endpoint.statuses.includes(response.status) || !endpoint.success.is(json)) return failureOf(exchanged)
  return {
    ok: true,
    status: response.status,
    body: json,
    ...warnedOf(response),
    requestId: requestIdOf(response),
  }
}
