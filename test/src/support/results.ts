import type { Failure, Result, Success } from '@account-import/client'

/** The success that a result must be. */
export const successOf = <Body>(result: Result<Body>): Success<Body> => {
  if (result.ok) return result
  throw new Error(`Refused with ${result.status} ${result.problem.code}: ${JSON.stringify(result.problem)}`)
}

/** The failure that a result must be. */
export const failureOf = (result: Result<unknown>): Failure => {
  if (!result.ok) return result
  throw new Error(`Accepted with ${result.status}: ${JSON.stringify(result.body)}`)
}

/** `400 account_already_imported`, or the status alone of a success. */
export const inShort = (result: Result<unknown>): string =>
  result.ok ? String(result.status) : `${result.status} ${result.problem.code}`
