import { E, pipe } from '../fp.js'
import type {
  AnswerClaim,
  AnsweredAccount,
  ClaimedRequest,
  KeptAnswer,
} from '../ports/idempotency-records.js'
import type { Ports } from '../ports/index.js'
import type { PortFailure, PortResult } from '../ports/port-failure.js'
import { hashOf } from '../ports/secrets.js'
import { plusSeconds } from '../values/instant.js'
import type { IdempotencyKeyInProgress, IdempotencyKeyReused, UseCaseResult } from '../checking/errors.js'

/** A request that may be repeated with its idempotency key. */
export type KeyedRequest = Readonly<{
  organisation: string
  key: string
  /** The key is valid for one method and one path. */
  method: string
  path: string
  /** A digest of the rest of the request, 64 characters. */
  content: string
}>

/**
 * `isFinal`: the same request would get the same answer if it were repeated. `account`: the account of the request, by which the
 * answer is found when that account is erased.
 */
export type FirstAnswer = Readonly<{
  answer: KeptAnswer
  isFinal: boolean
  account?: AnsweredAccount | undefined
}>

/**
 * `replayed`: the answer is that of an earlier request. `notKept`: the answer is new and valid, but could not be kept; for the
 * log.
 */
export type AnsweredOnce = Readonly<{
  answer: KeptAnswer
  replayed: boolean
  notKept: PortFailure | undefined
}>

/** The body of the longest answer that is kept, in bytes of UTF-8. */
const mostBytes = 65_536

const encoder = new TextEncoder()

const isShort = ({ body }: KeptAnswer): boolean =>
  body.length <= mostBytes && encoder.encode(body).length <= mostBytes

type AnswerPorts = Pick<Ports, 'clock' | 'idempotencyRecords' | 'secrets' | 'settings'>

const keptSeconds = 86_400

/** Most requests end within milliseconds. */
const retryAfterSeconds = 1

const claimOf = async (
  { clock, secrets, settings }: AnswerPorts,
  { organisation, key, method, path, content }: KeyedRequest,
): PortResult<AnswerClaim> =>
  pipe(
    await hashOf({ secrets }, JSON.stringify([method, path, key])),
    E.map((request) => {
      const at = clock.now()
      const endsAt = plusSeconds(at, settings.processingClaimSeconds)
      const expiresAt = plusSeconds(at, keptSeconds)
      return { key: { organisation, request }, content, token: secrets.generate(), at, endsAt, expiresAt }
    }),
  )

/**
 * Ends the claim by the answer. The client gets the answer also if it cannot be kept, because the work was done. A claim that was
 * lost meanwhile belongs to another answer of the same request.
 */
const endClaim = async (
  { clock, idempotencyRecords }: AnswerPorts,
  { key, token }: AnswerClaim,
  { answer, isFinal, account }: FirstAnswer,
): Promise<AnsweredOnce> => {
  const at = clock.now()
  const ended =
    isFinal && isShort(answer)
      ? await idempotencyRecords.keep({
          key,
          token,
          answer,
          expiresAt: plusSeconds(at, keptSeconds),
          account,
        })
      : await idempotencyRecords.release({ key, token, at })
  return { answer, replayed: false, notKept: E.isLeft(ended) ? ended.left : undefined }
}

/** Answers the request for the first time. An exception releases the claim, so that the request may be repeated at once. */
const answered = async (
  ports: AnswerPorts,
  claim: AnswerClaim,
  first: (claimed: ClaimedRequest) => Promise<FirstAnswer>,
): Promise<AnsweredOnce> => {
  let answer: FirstAnswer
  try {
    answer = await first({ key: claim.key, token: claim.token })
  } catch (cause) {
    await ports.idempotencyRecords.release({ ...claim, at: ports.clock.now() })
    throw cause
  }
  return endClaim(ports, claim, answer)
}

/** Answers a request, or repeats its earlier answer. */
export const answerOnce =
  (ports: AnswerPorts) =>
  async (
    request: KeyedRequest,
    first: (claimed: ClaimedRequest) => Promise<FirstAnswer>,
  ): UseCaseResult<IdempotencyKeyReused | IdempotencyKeyInProgress, AnsweredOnce> => {
    const claim = await claimOf(ports, request)
    if (E.isLeft(claim)) return claim
    const claimed = await ports.idempotencyRecords.claim(claim.right)
    if (E.isLeft(claimed)) return claimed
    switch (claimed.right._tag) {
      case 'claimed':
        return E.right(await answered(ports, claim.right, first))
      case 'answered':
        return E.right({ answer: claimed.right.answer, replayed: true, notKept: undefined })
      case 'in_progress':
        return E.left({ _tag: 'IdempotencyKeyInProgress', retryAfterSeconds })
      case 'other_content':
        return E.left({ _tag: 'IdempotencyKeyReused' })
    }
  }

/** Removes answers that have expired. */
export const forgetAnswers =
  ({ clock, idempotencyRecords }: Pick<Ports, 'clock' | 'idempotencyRecords'>) =>
  (limit: number): PortResult<number> =>
    idempotencyRecords.forget(clock.now(), limit)
