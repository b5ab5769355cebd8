import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import helmet from 'helmet'
import { Readable } from 'node:stream'
import type { FieldError, SentPayload, UseCases } from '@account-import/core'
import { E, type Either } from '@account-import/core/fp'
import { externalAccountNumber, importSupplierCode, readField } from '@account-import/core/payloads'
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
  // These headers affect pages only, not JSON, and each header costs a little.
  crossOriginEmbedderPolicy: false,
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xPoweredBy: false,
  xXssProtection: false,
})

/** Helmet's headers, read from a response that is never sent: they are the same for every response. */
const collected = (): readonly (readonly [name: string, value: string])[] => {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  response.setHeader('Cache-Control', 'no-store')
  // Helmet sets its headers synchronously.
  helmetHeaders(request, response, () => undefined)
  return response.getHeaderNames().map((name) => [name, String(response.getHeader(name))])
}

/**
 * Headers of every response, also of those that no application sends. They forbid framing, sniffing, loading by pages and
 * caching, as responses contain personal data.
 */
export const fixedHeaders = collected()

/** A response ready to send: JSON text, whole or as a stream of chunks. */
export type Reply = Readonly<{
  status: number
  headers: Readonly<Record<string, string>>
  body: string | AsyncIterable<string>
  /** The media type, where it is not that of JSON. */
  type?: string
}>

/** The media type of all responses but lines. */
const jsonType = 'application/json; charset=utf-8'

const replyOf = ({ success }: Endpoint, answer: Answer<unknown, number>): Reply => {
  const { status, headers } = answer
  if ('pages' in answer) return { status, headers, body: listText(answer.pages) }
  const { body } = answer
  return success instanceof Lines
    ? { status, headers, type: linesType, body: linesText(body as AsyncIterable<readonly unknown[]>) }
    : { status, headers, body: JSON.stringify(body) }
}

/** The chunks of a response. Notes the cause of a failure for the log; the error for Koa does not contain it. */
async function* sending(record: RequestRecord, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* pieces
  } catch (cause) {
    // The reader of the request body may be the first to detect a disconnect.
    if (isClientGone(cause)) throw cause
    record.failure ??= loggedFailure(cause)
    throw new Error('The answer broke off.')
  }
}

/**
 * Buffers one chunk: a slow client slows the store down, and memory stays constant. When a chunk fails, Koa destroys the
 * connection, so a client never takes a cut list for a whole one.
 */
const streamOf = (ctx: AppContext, pieces: AsyncIterable<string>): Readable =>
  Readable.from(sending(ctx.state.accountImport, pieces), { highWaterMark: 1 })

export const send = (ctx: AppContext, { status, headers, body, type = jsonType }: Reply): void => {
  ctx.status = status
  ctx.set('Content-Type', type)
  for (const name in headers) ctx.set(name, headers[name] ?? '')
  // A stream that breaks off has eleven listeners, for which Node would warn of a leak.
  if (typeof body !== 'string') ctx.res.setMaxListeners(20)
  ctx.body = typeof body === 'string' ? body : streamOf(ctx, body)
}

/** Notes the failure for the log, if the refusal is a failure of the service. */
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

/** Notes for the log the code of a refusal, and the number of its field errors by code. */
export const noteProblem = (record: RequestRecord, { code, errors }: WrittenBody): void => {
  record.code = code
  if (errors.length > 0) record.errors = countCodes(errors)
}

/** Maps the refusal of one account of a bulk request to its line, and notes it for the log. */
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

/** Notes the account that a body names, even if the body is not valid: a stored refusal may contain its data too. */
const noteAccount = (record: RequestRecord, { payload }: SentPayload): void => {
  const number = readField(externalAccountNumber, payload, 'external_account_number')
  if (number === undefined) return
  const importSupplier =
    readField(importSupplierCode, payload, 'import_supplier') ??
    readField(importSupplierCode, payload, 'import_supplier_code')
  if (importSupplier !== undefined) record.account = { importSupplier, externalAccountNumber: number }
}

/** Calls an endpoint, and notes facts about the request for the log and for the stored response. */
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
