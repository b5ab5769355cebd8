import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import helmet from 'helmet'
import { Readable } from 'node:stream'
import type { FieldError, SentPayload, UseCases } from '@account-import/core'
import {
  E,
  type Either,
  externalAccountNumber,
  importSupplierCode,
  readField,
} from '@account-import/core/adapter-kit'
import {
  type Answer,
  type Endpoint,
  type EndpointRequest,
  Lines,
  linesText,
  linesType,
  listText,
  type Problem,
  problemOf,
  type Refusal,
  type WrittenBody,
} from '@account-import/http-contract'
import { type AppContext, isClientGone, loggedFailure, type RequestRecord } from './context.js'

const helmetHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  frameguard: { action: 'deny' },
  // These steer browsers that show pages; JSON has no use for them, and each header costs a little.
  crossOriginEmbedderPolicy: false,
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xPoweredBy: false,
  xXssProtection: false,
})

/** Lets helmet set its headers on an answer that is never sent, and reads them from there: they are always the same. */
const collected = (): readonly (readonly [name: string, value: string])[] => {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  response.setHeader('Cache-Control', 'no-store')
  // Helmet's part is done when this returns.
  helmetHeaders(request, response, () => undefined)
  return response.getHeaderNames().map((name) => [name, String(response.getHeader(name))])
}

/**
 * Headers of every answer, also of those that no application gives. For an API whose answers hold personal data:
 * not to be framed, sniffed, loaded by pages or kept.
 */
export const fixedHeaders = collected()

/**
 * An answer ready to send: JSON text, whole or in pieces that are made while they are sent. `mayGoOn` is asked before and after each
 * piece, and throws where the request may not go on.
 */
export type Reply = Readonly<{
  status: number
  headers: Readonly<Record<string, string>>
  body: string | AsyncIterable<string>
  /** The media type, where it is not that of JSON. */
  type?: string
  mayGoOn?: () => Promise<void>
}>

/** The media type of all answers that are not lines. */
const jsonType = 'application/json; charset=utf-8'

const replyOf = ({ success }: Endpoint, answer: Answer<unknown, number>): Reply => {
  const { status, headers } = answer
  if ('pages' in answer) return { status, headers, body: listText(answer.pages) }
  const { body } = answer
  return success instanceof Lines
    ? { status, headers, type: linesType, body: linesText(body as AsyncIterable<readonly unknown[]>) }
    : { status, headers, body: JSON.stringify(body) }
}

/** The pieces of an answer. Notes for the log why they broke off; the error that Koa gets says nothing about it. */
async function* sending(
  record: RequestRecord,
  pieces: AsyncIterable<string>,
  mayGoOn: Reply['mayGoOn'],
): AsyncGenerator<string> {
  try {
    for await (const piece of pieces) {
      await mayGoOn?.()
      yield piece
      // The next piece may be asked for much later.
      await mayGoOn?.()
    }
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
const streamOf = (ctx: AppContext, pieces: AsyncIterable<string>, mayGoOn: Reply['mayGoOn']): Readable =>
  Readable.from(sending(ctx.state.accountImport, pieces, mayGoOn), { highWaterMark: 1 })

export const send = (ctx: AppContext, { status, headers, body, type = jsonType, mayGoOn }: Reply): void => {
  ctx.status = status
  ctx.set('Content-Type', type)
  for (const name in headers) ctx.set(name, headers[name] ?? '')
  // Those who wait for the end of a stream are eleven when it breaks off, and Node takes that many for a leak.
  if (typeof body !== 'string') ctx.res.setMaxListeners(20)
  ctx.body = typeof body === 'string' ? body : streamOf(ctx, body, mayGoOn)
}

/** Notes for the log what failed, where a refusal is a failure of the service. */
export const noteFailure = (record: RequestRecord, refusal: Refusal): void => {
  if (refusal._tag === 'PortFailure') record.failure = loggedFailure(refusal)
  if (refusal._tag === 'Unexpected') record.failure = loggedFailure(refusal.cause)
}

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
const refusedLine = (record: RequestRecord, refusal: Refusal): Problem => {
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

/** Remembers which account a body names, whether the rest of it is valid or not: a refusal may say something of it too. */
const noteAccount = (record: RequestRecord, { payload }: SentPayload): void => {
  const number = readField(externalAccountNumber, payload, 'external_account_number')
  if (number === undefined) return
  const importSupplier =
    readField(importSupplierCode, payload, 'import_supplier') ??
    readField(importSupplierCode, payload, 'import_supplier_code')
  if (importSupplier !== undefined) record.account = { importSupplier, externalAccountNumber: number }
}

/** Calls an endpoint, and notes for the log and for what is kept of the answer what the request is about. */
export const called = async (
  endpoint: Endpoint,
  useCases: UseCases,
  request: Omit<EndpointRequest, 'refusedLine'> & Readonly<{ record: RequestRecord }>,
): Promise<Either<Refusal, Reply>> => {
  const { body, record } = request
  noteAccount(record, body)
  if (endpoint.changesNothing?.(body.payload) === true) record.changesNothing = true
  const answer = await endpoint.call(useCases, {
    ...request,
    refusedLine: (refusal) => refusedLine(record, refusal),
  })
  return E.isLeft(answer) ? answer : E.right(replyOf(endpoint, answer.right))
}
