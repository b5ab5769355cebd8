import type { ErrorCode } from '../catalogue/index.js'
import type { InRun } from '../domain/import-run.js'
import { E } from '../fp.js'
import type { ClaimRelease } from '../ports/account-imports.js'
import type { Ports } from '../ports/index.js'
import { portFailure, type PortFailure } from '../ports/port-failure.js'
import type { Instant } from '../values/instant.js'
import type { Submission } from '../checking/check-payload.js'
import type { ProcessingRefused, UseCaseResult } from '../checking/errors.js'
import { notCurrent, sameDataOf } from './import-refusals.js'
import { answerAt, mapRights, replaced, withAnswers } from '../lists/lists.js'
import {
  type Accept,
  acceptByRecent,
  type AcceptedRequest,
  acceptRequests,
  type ProcessAnswer,
  type Processed,
} from './accept-requests.js'
import { claimAccounts } from './claim-accounts.js'
import { createAccounts } from './create-accounts.js'
import {
  answered,
  answerIn,
  type At,
  at,
  existingAnswer,
  keyOf,
  type OnItsWay,
  type Page,
  refused,
} from './on-its-way.js'

/** The code that is stored on the import for a failed attempt. */
const codeOf = (failure: ProcessingRefused | PortFailure): ErrorCode => {
  if (failure._tag === 'AccountFailedValidation') return 'account_failed_validation'
  return failure._tag === 'PortFailure' && failure.kind === 'unavailable' ? 'service_unavailable' : 'error'
}

/** Whether the answer ends an attempt to create the account; otherwise it refuses to begin one. */
const isFailedAttempt = (failure: ProcessingRefused | PortFailure): boolean =>
  failure._tag === 'AccountFailedValidation' || (failure._tag === 'PortFailure' && failure !== notCurrent)

/** The end of an attempt that created no account; undefined where nothing is to be ended. */
const releaseOf = (each: OnItsWay, at: Instant): ClaimRelease | undefined => {
  const { accepted, token } = each
  const answer = answerIn(each)
  if (E.isRight(answer)) return undefined
  const isRecorded =
    accepted.request.dry_run !== true && each.step === 'answered' && isFailedAttempt(answer.left)
  if (token === undefined && !isRecorded) return undefined
  const { key, by } = accepted
  return { key, token, by, ...(isRecorded && { failure: { code: codeOf(answer.left), at } }) }
}

/**
 * Ends the claims of accounts that were not created, so that they can be tried again at once, and stores why, except in a dry run.
 * If the release fails, the claims expire, and the store's failure is the answer: the same requests may be sent again.
 */
const endFailed = async (
  { accountImports, clock }: Pick<Ports, 'accountImports' | 'clock'>,
  page: Page,
): Promise<Page> => {
  const endedAt = clock.now()
  const ended = page.map((each) => ({ each, release: releaseOf(each, endedAt) }))
  const releases = ended.flatMap(({ release }) => (release === undefined ? [] : [release]))
  const released = releases.length === 0 ? E.right(undefined) : await accountImports.release(releases)
  if (E.isRight(released)) return page
  return ended.map(({ each, release }) => {
    const answer = answerIn(each)
    const isFailure = E.isLeft(answer) && each.step === 'answered' && answer.left._tag === 'PortFailure'
    return release === undefined || isFailure ? each : answered(each, released)
  })
}

/** Creates accounts, and ends the attempts that created none, also if an exception ended them. */
const attemptAccounts = (ports: Ports) => {
  const create = createAccounts(ports)
  return async (accepted: Page): Promise<Page> => {
    let page: Page
    try {
      page = await create(accepted)
    } catch (cause) {
      const failure = portFailure('unexpected', 'processAccount', 'create', cause)
      page = accepted.map((each) => refused(each, failure))
    }
    return endFailed(ports, page)
  }
}

/** Accounts that exist are compared with the data that is staged, which is theirs. */
const compareExisting =
  (ports: Pick<Ports, 'accountImports'>) =>
  async (existing: readonly At<'exists'>[]): Promise<Page> => {
    const sameDataIn = await sameDataOf(ports, existing, (each) => ({ key: keyOf(each) }))
    return existing.map((each) => {
      const sameData = sameDataIn(each)
      return answered(each, E.isLeft(sameData) ? sameData : existingAnswer(each, sameData.right))
    })
  }

/** A request to process an account; with it, whatever its sender knows of the account. */
export type ToProcess = Readonly<{ request: Submission & InRun }>

export type Answered = Readonly<{ answer: ProcessAnswer }>

const isNotCurrent = <Done extends Answered>(done: Done): done is Done =>
  E.isLeft(done.answer) && done.answer.left === notCurrent

/**
 * Creates accounts, which must be distinct, from their staged data (docs/reference/api.md#states): accepts the requests, claims the
 * accounts if creation takes time, creates them, and ends the attempts that failed. Each with its answer, in their order. Suppliers and
 * teams that were read a moment ago are used first.
 */
export const processAccounts = (ports: Ports) => {
  const acceptRecent = acceptByRecent(ports)
  const acceptRead = acceptRequests(ports)
  const claim = claimAccounts(ports)
  const attempt = attemptAccounts(ports)
  const compare = compareExisting(ports)
  const process = async (accepted: readonly AcceptedRequest[]): Promise<readonly ProcessAnswer[]> => {
    const begun = accepted.map((each): OnItsWay => ({ step: 'accepted', accepted: each, token: undefined }))
    const claimed = await at(begun, 'accepted', claim)
    const attempted = await at(claimed, 'accepted', attempt)
    return (await at(attempted, 'exists', compare)).map(answerIn)
  }
  const processBy =
    (accept: Accept) =>
    async <Item extends ToProcess>(items: readonly Item[]): Promise<readonly (Item & Answered)[]> => {
      const accepted = await accept(items.map(({ request }) => request))
      return withAnswers(items, await mapRights(accepted, process))
    }
  return async <Item extends ToProcess>(items: readonly Item[]): Promise<readonly (Item & Answered)[]> =>
    replaced(await processBy(acceptRecent)(items), isNotCurrent, processBy(acceptRead))
}

export type ProcessAccounts = ReturnType<typeof processAccounts>

/** Processes a list of one request, which has one answer. */
export const processAccount =
  (process: ProcessAccounts) =>
  async (request: Submission & InRun): UseCaseResult<ProcessingRefused, Processed> => {
    const done = await process([{ request }])
    return answerAt(
      done.map(({ answer }) => answer),
      0,
    )
  }
