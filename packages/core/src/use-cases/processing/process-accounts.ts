import type { ErrorCode } from '../../catalogue/index.js'
import type { InRun } from '../../domain/import-run.js'
import { E } from '../../fp.js'
import type { ClaimRelease } from '../../ports/account-imports.js'
import type { Ports } from '../../ports/index.js'
import { portFailure, type PortFailure } from '../../ports/port-failure.js'
import type { Submission } from '../check-payload.js'
import type { ProcessingRefused, UseCaseResult } from '../errors.js'
import { mapRights } from '../lists.js'
import {
  type AcceptedRequest,
  acceptRequests,
  type ProcessAnswer,
  type Processed,
} from './accept-requests.js'
import { withClaims } from './claim-accounts.js'
import { createAccounts } from './create-accounts.js'

/** The code that is stored on the import for a failed attempt. */
const codeOf = (failure: ProcessingRefused | PortFailure): ErrorCode => {
  if (failure._tag === 'AccountFailedValidation') return 'account_failed_validation'
  return failure._tag === 'PortFailure' && failure.kind === 'unavailable' ? 'service_unavailable' : 'error'
}

/** Whether the answer ends an attempt to create the account; otherwise it refuses to begin one. */
const isFailedAttempt = (failure: ProcessingRefused | PortFailure): boolean =>
  failure._tag === 'AccountFailedValidation' || failure._tag === 'PortFailure'

/**
 * Ends the claims of accounts that were not created, so that they can be tried again at once, and stores why, except in a dry run.
 * If the release fails, the claims expire, and the store's failure is the answer: the same requests may be sent again.
 */
const endFailed = async (
  { accountImports, clock }: Pick<Ports, 'accountImports' | 'clock'>,
  accepted: readonly AcceptedRequest[],
  answers: readonly ProcessAnswer[],
): Promise<readonly ProcessAnswer[]> => {
  const at = clock.now()
  const releases = accepted.map(({ key, token, by, request }, index): ClaimRelease | undefined => {
    const answer = answers[index]
    const isDryRun = request.dry_run === true
    if (answer === undefined || E.isRight(answer)) return undefined
    const isRecorded = !isDryRun && isFailedAttempt(answer.left)
    if (token === undefined && !isRecorded) return undefined
    return { key, token, by, ...(isRecorded && { failure: { code: codeOf(answer.left), at } }) }
  })
  const ended = releases.filter((each) => each !== undefined)
  const released = ended.length === 0 ? E.right(undefined) : await accountImports.release(ended)
  if (E.isRight(released)) return answers
  return answers.map((answer, index) => {
    const hasNothingToRelease = releases[index] === undefined || E.isRight(answer)
    return hasNothingToRelease || answer.left._tag === 'PortFailure' ? answer : released
  })
}

/** Creates accounts, and ends the attempts that created none, also if an exception ended them. */
const attemptAccounts = (ports: Ports) => {
  const create = createAccounts(ports)
  return async (accepted: readonly AcceptedRequest[]): Promise<readonly ProcessAnswer[]> => {
    let answers: readonly ProcessAnswer[]
    try {
      answers = await create(accepted)
    } catch (cause) {
      answers = accepted.map(() => E.left(portFailure('unexpected', 'processAccount', 'create', cause)))
    }
    return endFailed(ports, accepted, answers)
  }
}

/**
 * Creates accounts, which must be distinct, from their staged data (docs/reference/api.md#states): accepts the requests, claims the
 * accounts if creation takes time, creates them, and ends the attempts that failed. One answer for each, in their order.
 */
export const processAccounts = (ports: Ports) => {
  const accept = acceptRequests(ports)
  const attempt = withClaims(ports, attemptAccounts(ports))
  return async (requests: readonly (Submission & InRun)[]): Promise<readonly ProcessAnswer[]> =>
    mapRights(await accept(requests), attempt)
}

export type ProcessAccounts = ReturnType<typeof processAccounts>

/** Processes a list of one request, which has one answer. */
export const processAccount =
  (process: ProcessAccounts) =>
  async (request: Submission & InRun): UseCaseResult<ProcessingRefused, Processed> =>
    (await process([request]))[0] as ProcessAnswer
