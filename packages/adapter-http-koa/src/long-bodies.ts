import type {
  Actor,
  BulkResult,
  BulkResults,
  LineElsewhere,
  OpenRun,
  RunRefused,
  UseCaseResult,
  UseCases,
} from '@account-import/core'
import { E, isPortFailure } from '@account-import/core/adapter-kit'
import { type Asked, type Endpoint, endpoints } from '@account-import/http-contract'
import { called, refused, type Reply } from './answers.js'
import { jsonIn } from './body/json-body.js'
import { lineJson } from './body/lines-body.js'
import { loggedFailure, type RequestRecord } from './context.js'

/** An admitted request with a long body, decoded except for the body. It can be sent to another thread. */
export type LongRequest = Asked &
  Readonly<{
    /** The path pattern of the endpoint, which has one body of JSON and one answer. */
    route: string
    requestId: string
    bytes: Uint8Array
  }>

/** The response to a long request, with notes for the log and its account. It can be sent between threads. */
export type LongAnswer = Readonly<{
  status: number
  headers: Readonly<Record<string, string>>
  body: string
  notes: Pick<RequestRecord, 'account' | 'changesNothing' | 'code' | 'errors' | 'failure'>
}>

/** A long line of a bulk request; it can be sent to another thread. */
export type LongLine = Readonly<{
  organisation: string
  by: Actor
  /** The import run of the request, to which the other thread adds the outcome of the line. */
  run: OpenRun | undefined
  bytes: Uint8Array
}>

/** Work for another thread, by name. Its input and output can be sent between threads. */
export type LongWork = {
  answer: (request: LongRequest) => Promise<LongAnswer>
  bulkValidate: (line: LongLine) => ReturnType<LineElsewhere['bulkValidate']>
  bulkStage: (line: LongLine) => ReturnType<LineElsewhere['bulkStage']>
}

/**
 * Processes long bodies and lines where they do not delay other requests, in a fair queue by organisation. Rejects when the work
 * could not be done, and with the reason of `gone` if that aborts before the work has begun.
 */
export type LongBodies = Readonly<{
  [Name in keyof LongWork]: (
    request: Parameters<LongWork[Name]>[0],
    gone: AbortSignal,
  ) => ReturnType<LongWork[Name]>
}>

/** The endpoints with a body, by path. */
const byPath: ReadonlyMap<string, Endpoint> = new Map(
  Object.values<Endpoint>(endpoints)
    .filter(({ body }) => body !== undefined)
    .map((endpoint) => [endpoint.path, endpoint]),
)

const wholeAnswers = (useCases: UseCases): LongWork['answer'] => {
  const answered = async ({ bytes, ...asked }: LongRequest, record: RequestRecord): Promise<Reply> => {
    try {
      const endpoint = byPath.get(asked.route)
      if (endpoint === undefined) throw new TypeError('No endpoint has this path')
      const body = await jsonIn(bytes, asked.organisation)
      if (E.isLeft(body)) return refused(record, body.left)
      const answer = await called(endpoint, useCases, {
        ...asked,
        body: body.right,
        lines: [],
        pace: undefined,
        record,
        gone: () => new AbortController().signal,
      })
      return E.isLeft(answer) ? refused(record, answer.left) : answer.right
    } catch (cause) {
      return refused(record, { _tag: 'Unexpected', cause })
    }
  }
  return async (request) => {
    const record: RequestRecord = { requestId: request.requestId, route: request.route }
    const { status, headers, body } = await answered(request, record)
    if (typeof body !== 'string') throw new TypeError('An answer in pieces cannot be sent to another thread')
    const { account, changesNothing, code, errors, failure } = record
    return {
      status,
      headers,
      body,
      notes: {
        ...(account && { account }),
        ...(changesNothing && { changesNothing }),
        ...(code && { code }),
        ...(errors && { errors }),
        ...(failure && { failure }),
      },
    }
  }
}

/** The result of one line. Reduces the cause of a port failure to name and code, as threads cannot send each other any error. */
const resultOf = async <Refused extends Readonly<{ _tag: string }>, A>(
  started: UseCaseResult<RunRefused, BulkResults<Refused, A>>,
): Promise<BulkResult<Refused, A>> => {
  const results = await started
  if (E.isLeft(results)) throw new TypeError('A bulk use case refused a line')
  for await (const [result] of results.right) {
    if (result === undefined) continue
    const { outcome } = result
    if (E.isRight(outcome) || !isPortFailure(outcome.left)) return result
    const { name, code } = loggedFailure(outcome.left)
    return { ...result, outcome: E.left({ ...outcome.left, cause: { name, code } }) }
  }
  throw new TypeError('A bulk use case gave no result for a line')
}

/** Processes long bodies and lines, in a thread of its own. An error that a use case throws becomes a 500. */
export const answerLongBodies = (useCases: UseCases): LongWork => {
  const submitted = ({ organisation, by, run, bytes }: LongLine) => ({
    organisation,
    by,
    run,
    lines: [{ line: 1, bytes: bytes.length, json: lineJson(bytes) }],
  })
  return {
    answer: wholeAnswers(useCases),
    bulkValidate: (line) => resultOf(useCases.bulkValidate(submitted(line))),
    bulkStage: (line) => resultOf(useCases.bulkStage(submitted(line))),
  }
}
