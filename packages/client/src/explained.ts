import { isErrorCode } from '@account-import/core'
import { errorPagePath } from '@account-import/http-contract'
import type { Failure } from './result.js'

/** Adds the page of the service that explains the code. */
export const explained = (baseUrl: string, failure: Failure): Failure =>
  isErrorCode(failure.code) ? { ...failure, docsUrl: baseUrl + errorPagePath(failure.code) } : failure
