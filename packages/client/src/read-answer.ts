import { problemBody, readWarnings, type Call } from '@account-import/http-contract'
import type { Exchanged } from './exchange.js'
import { requestIdOf, retryAfterOf } from './exchange.js'
import { ownFailure, serviceFailure, type Failure, type Result, type Warned } from './result.js'

const warnedOf = ({ headers }: Response): Warned => ({
  warnings: readWarnings(headers.get('Import-Warnings')),
  warningsTotal: Number(headers.get('Import-Warnings-Total') ?? 0),
})

/** A problem as a failure; any other answer is not one of this service. */
export const failureOf = ({ response, json }: Exchanged): Failure => {
  const shared = {
    status: response.status,
    requestId: requestIdOf(response),
    ...warnedOf(response),
    ...retryAfterOf(response),
  }
  return problemBody.is(json)
    ? serviceFailure(json, shared)
    : ownFailure('unexpected_answer', 'This is not an answer of the account import service.', shared)
}

/** Reads an answer by the endpoint's statuses and body. */
export const readAnswer = <Success>(
  called: Pick<Call<Success, number>, 'statuses' | 'success'>,
  exchanged: Exchanged,
): Result<Success> => {
  const { response, json } = exchanged
  if (!called.statuses.includes(response.status) || !called.success.is(json)) return failureOf(exchanged)
  return {
    ok: true,
    status: response.status,
    body: json,
    ...warnedOf(response),
    requestId: requestIdOf(response),
  }
}
