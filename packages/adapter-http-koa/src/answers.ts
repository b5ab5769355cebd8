import { Readable } from 'node:stream'
import type { FieldError } from '@account-import/core'
import {
  type Answer,
  isLines,
  linesText,
  linesType,
  listText,
  type Problem,
  problemOf,
  type Refusal,
  type WrittenBody,
} from '@account-import/http-contract'
import { type AppContext, isClientGone, type RequestRecord } from './context.js'
import { loggedFailure } from './log-entry.js'

/** An answer ready to send: JSON text, whole or in pieces that are made while they are sent. */
export type Reply = Readonly<{
  status: number
  headers: Readonly<Record<string, string>>
  body: string | AsyncIterable<string>
  /** The media type, where it is not that of JSON. */
  type?: string
}>

/** The media type of all answers that are not lines. */
const jsonType = 'application/json; charset=utf-8'

export const replyOf = (answer: Answer<unknown, number>): Reply => {
  const { status, headers } = answer
  if ('pages' in answer) return { status, headers, body: listText(answer.pages) }
  const { body } = answer
  return isLines(body)
    ? { status, headers, type: linesType, body: linesText(body) }
    : { status, headers, body: JSON.stringify(body) }
}

/** Notes for the log why a stream broke off; the error that Koa gets says nothing about it. */
async function* noting(record: RequestRecord, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* pieces
  } catch (cause) {
    // A client that went away may be heard of first by who reads what it sends.
    if (isClientGone(cause)) throw cause
    record.failure = loggedFailure(cause)
    throw new Error('The answer broke off.')
  }
}

/**
 * One piece waits at a time: a client that reads slowly slows the store down, and memory stays level. When a
 * piece fails, Koa destroys the connection, so a client never takes a short list for a whole one.
 */
const streamOf = (ctx: AppContext, pieces: AsyncIterable<string>): Readable =>
  Readable.from(noting(ctx.state.accountImport, pieces), { highWaterMark: 1 })

export const send = (ctx: AppContext, { status, headers, body, type = jsonType }: Reply): void => {
  ctx.status = status
  ctx.set('Content-Type', type)
  for (const name in headers) ctx.set(name, headers[name] ?? '')
  // Those who wait for the end of a stream are eleven when it breaks off, and Node takes that many for a leak.
  if (typeof body !== 'string') ctx.res.setMaxListeners(20)
  ctx.body = typeof body === 'string' ? body : streamOf(ctx, body)
}

/** Notes for the log what failed, where a refusal is a failure of the service. */
export const noteFailure = (record: RequestRecord, refusal: Refusal): void => {
  if (refusal._tag === 'PortFailure') record.failure = loggedFailure(refusal)
  if (refusal._tag === 'Unexpected') record.failure = loggedFailure(refusal.cause)
}

/** Adds to `counts` how many there are of each code. */
const countCodes = (
  all: readonly Pick<FieldError, 'code'>[],
  counts: Record<string, number> = {},
): Record<string, number> => {
  for (const { code } of all) counts[code] = (counts[code] ?? 0) + 1
  return counts
}

/** Notes for the log with what a request was refused. */
export const noteProblem = (record: RequestRecord, { code, errors }: WrittenBody): void => {
  record.code = code
  if (errors.length > 0) record.errors = countCodes(errors)
}

/** How the refusal of one account of a bulk request is answered, noted for the log. */
export const refusedLine = (record: RequestRecord, refusal: Refusal): Problem => {
  const problem = problemOf(refusal, record.requestId)
  const { errors } = problem.body
  noteFailure(record, refusal)
  record.lineCodes = countCodes([problem.body], record.lineCodes)
  if (errors.length > 0) record.errors = countCodes(errors, record.errors)
  return problem
}

/** The answer to a refusal by the problem table, noted for the log. */
export const refused = (record: RequestRecord, refusal: Refusal): Reply => {
  const { status, body, headers } = problemOf(refusal, record.requestId)
  noteProblem(record, body)
  noteFailure(record, refusal)
  return { status, headers, body: JSON.stringify(body) }
}

/** Answers a refusal. */
export const refuse = (ctx: AppContext, refusal: Refusal): void =>
  send(ctx, refused(ctx.state.accountImport, refusal))
