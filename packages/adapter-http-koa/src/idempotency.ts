import { createHash } from 'node:crypto'
import type { ClaimedRequest, KeptAnswer, UseCases } from '@account-import/core'
import { E, type Either } from '@account-import/core/adapter-kit'
import {
  idempotencyKeyHeader,
  idempotencyKeyPattern,
  isFinalStatus,
  type Refusal,
  replayedHeader,
  type WrittenBody,
} from '@account-import/http-contract'
import { noteFailure, noteProblem, refused, type Reply } from './answers.js'
import type { AppContext } from './context.js'

const headerName = idempotencyKeyHeader.toLowerCase()

const noKey: Either<never, undefined> = E.right(undefined)

/** The key of a request; undefined where it has none. */
export const idempotencyKeyIn = (ctx: AppContext): Either<Refusal, string | undefined> => {
  const key = ctx.req.headers[headerName]
  if (key === undefined) return noKey
  return typeof key === 'string' && idempotencyKeyPattern.test(key)
    ? E.right(key)
    : E.left({ _tag: 'IdempotencyKeyNotValid' })
}

/**
 * The difference between two requests to one path: the query and the bytes of the body, as they came. A client that repeats a
 * request repeats its bytes; whether two texts of JSON mean the same is a question that is best not asked about money.
 */
const contentOf = (ctx: AppContext, bytes: Uint8Array): string =>
  createHash('sha256').update(`${ctx.querystring}\n`).update(bytes).digest('hex')

const wholeAnswer = ({ status, headers, body }: Reply): KeptAnswer => {
  if (typeof body !== 'string') throw new TypeError('An answer in pieces cannot be kept')
  return { status, headers, body }
}

/** A request with a key, and the organisation that sent it. `path`: the same for all ways to write an address. */
type Keyed = Readonly<{ organisation: string; path: string; key: string; bytes: Uint8Array }>

/** The answer to a request with a key: that of `first`, or the one that was kept. */
export const answeredOnce = async (
  ctx: AppContext,
  { answerOnce }: Pick<UseCases, 'answerOnce'>,
  { organisation, path, key, bytes }: Keyed,
  first: (claimed: ClaimedRequest) => Promise<Either<Refusal, Reply>>,
): Promise<Either<Refusal, Reply>> => {
  const record = ctx.state.accountImport
  const content = contentOf(ctx, bytes)
  const request = { organisation, key, method: ctx.method, path, content }
  const once = await answerOnce(request, async (claimed) => {
    const outcome = await first(claimed)
    const answer = wholeAnswer(E.isLeft(outcome) ? refused(record, outcome.left) : outcome.right)
    return {
      answer,
      isFinal: record.changesNothing !== true && isFinalStatus(answer.status),
      account: record.account,
    }
  })()
  if (E.isLeft(once)) return once
  const { answer, replayed, notKept } = once.right
  if (notKept !== undefined) noteFailure(record, notKept)
  if (!replayed) return E.right(answer)
  record.replayed = true
  // The stored part of a refusal is the part that this service wrote.
  if (answer.status >= 400) noteProblem(record, JSON.parse(answer.body) as WrittenBody)
  return E.right({ ...answer, headers: { ...answer.headers, [replayedHeader]: 'true' } })
}
