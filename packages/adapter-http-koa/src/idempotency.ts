import { createHash } from 'node:crypto'
import type { ClaimedRequest, KeptAnswer, UseCases } from '@account-import/core'
import { E, type Either } from '@account-import/core/fp'
import { isFinalStatus, type Refusal, replayedHeader, type WrittenBody } from '@account-import/http-contract'
import { noteFailure, noteProblem, refused, type Reply } from './answers.js'
import type { AppContext } from './context.js'

/**
 * A hash of the query and the unparsed body, which distinguishes two requests to one path. A retry repeats the bytes of its
 * request; JSON texts are not compared by their meaning, as requests are about money.
 */
const contentOf = (ctx: AppContext, bytes: Uint8Array): string =>
  createHash('sha256').update(`${ctx.querystring}\n`).update(bytes).digest('hex')

const wholeAnswer = ({ status, headers, body }: Reply): KeptAnswer => {
  if (typeof body !== 'string') throw new TypeError('An answer in pieces cannot be kept')
  return { status, headers, body }
}

/** A request with a key, and the organisation that sent it. `path`: equal for all spellings of an address. */
type Keyed = Readonly<{ organisation: string; path: string; key: string; bytes: Uint8Array }>

/** The reply to a request with a key: that of `first`, or the stored one. */
export const firstReplyOf = async (
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
  })
  if (E.isLeft(once)) return once
  const { answer, replayed, notKept } = once.right
  if (notKept !== undefined) noteFailure(record, notKept)
  if (!replayed) return E.right(answer)
  record.replayed = true
  // This service wrote the body of a stored refusal.
  if (answer.status >= 400) noteProblem(record, JSON.parse(answer.body) as WrittenBody)
  return E.right({ ...answer, headers: { ...answer.headers, [replayedHeader]: 'true' } })
}
