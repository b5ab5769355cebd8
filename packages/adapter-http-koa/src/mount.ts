import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import {
  type Actor,
  type Authenticated,
  type AuthenticationFailed,
  type ClaimedRequest,
  type KeptAnswer,
  type LineElsewhere,
  portFailure,
  type PortFailure,
  type RunReference,
  type SentPayload,
  type UseCases,
  whoHasKey,
} from '@account-import/core'
import { E, type Either, pipe, type TaskEither } from '@account-import/core/adapter-kit'
import {
  type Asked,
  type Endpoint,
  endpoints,
  fieldErrorsOf,
  idempotencyKeyHeader,
  idempotencyKeyPattern,
  importRunHeader,
  importRunLine,
  importRunLineHeader,
  isFinalStatus,
  Lines,
  linesType,
  type Refusal,
  replayedHeader,
  takesIdempotencyKey,
  type WrittenBody,
} from '@account-import/http-contract'
import type { Router } from '@koa/router'
import { acceptable, addressDecoder, authenticated, routePath } from './admission.js'
import { called, noteFailure, noteProblem, refuse, refused, type Reply, send } from './answers.js'
import { bodyBytes, jsonIn } from './body/json-body.js'
import { linesBody } from './body/lines-body.js'
import { type AppContext, type AppState, goneSignal, pathAsked } from './context.js'
import type { KeyLimits } from './limits/key-limits.js'
import { longBodyBytes } from './limits/work-budgets.js'
import type { LongBodies, LongRequest } from './long-bodies.js'

const headerName = idempotencyKeyHeader.toLowerCase()

const noKey: Either<never, undefined> = E.right(undefined)

/** The key of a request; undefined where it has none. */
const idempotencyKeyIn = (ctx: AppContext): Either<Refusal, string | undefined> => {
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
const answeredOnce = async (
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

/** The actor that the audit log names for a client. */
const actorOf = ({ apiKeyId, keyName }: Authenticated, requestId: string): Actor => ({
  who: whoHasKey(apiKeyId, keyName),
  requestId,
})

/** Where addresses are put, with the base path before them, and what stands behind them. */
export type ApiRouter = Readonly<{
  router: Router<AppState>
  useCases: UseCases
  basePath: string
  limits: KeyLimits
  longBodies?: LongBodies | undefined
}>

/** Whether the request may go on; asked again and again, it asks a store once in 30 seconds. */
type InForce = TaskEither<AuthenticationFailed | PortFailure, void>

/** The key of a request was revoked, or its organisation disabled, or its session ended, while it was answered. */
class AccessEnded extends Error {
  override readonly name = 'AccessEnded'
}

/**
 * Throws where the request may not go on, or where that cannot be found out. For requests that take longer than a revocation may.
 */
const assertInForce = async (inForce: InForce): Promise<void> => {
  const answer = await inForce()
  if (E.isRight(answer)) return
  throw answer.left._tag === 'PortFailure' ? answer.left : new AccessEnded('The access of the request ended.')
}

/** The key of a request, and whether it is still in force. */
type Access = Readonly<{ key: string; inForce: InForce }>

const none: Either<never, undefined> = E.right(undefined)

const noBytes: Either<never, Uint8Array> = E.right(new Uint8Array())

const noBody: Either<never, SentPayload> = E.right({ payload: undefined })

const noLines: Either<never, readonly never[]> = E.right([])

/** Answers requests with the method of one endpoint. */
type Handler = (ctx: AppContext, captures: readonly string[]) => Promise<Either<Refusal, Reply>>

/** Has an admitted request answered in another thread, and notes for the log what is said there. */
const answeredElsewhere = async (
  ctx: AppContext,
  request: Omit<LongRequest, 'requestId'>,
  longBodies: LongBodies,
): Promise<Either<Refusal, Reply>> => {
  const record = ctx.state.accountImport
  const { requestId } = record
  const { notes, ...reply } = await longBodies.answer({ ...request, requestId }, goneSignal(ctx.res))
  Object.assign(record, notes)
  return E.right(reply)
}

/** Has a long line worked on in another thread. A thread that dies fails this line alone. */
const lineElsewhere =
  (longBodies: LongBodies, organisation: string, by: Actor) =>
  (bytes: Uint8Array, gone: () => AbortSignal): LineElsewhere => {
    const failed = (cause: unknown) => ({
      line: 1,
      externalAccountNumber: undefined,
      outcome: E.left(portFailure('unexpected', 'longBodies', 'line', cause)),
    })
    const line = { organisation, by, run: undefined, bytes }
    return {
      bulkValidate: () => longBodies.bulkValidate(line, gone()).catch(failed),
      bulkStage: (run) => longBodies.bulkStage({ ...line, run }, gone()).catch(failed),
    }
  }

const runName = importRunHeader.toLowerCase()

const lineName = importRunLineHeader.toLowerCase()

const noRun: Either<never, undefined> = E.right(undefined)

/** The import run that a request names, and the line with which it begins in the source of the run. */
const importRunIn = (headers: IncomingHttpHeaders): Either<Refusal, RunReference | undefined> => {
  const id = headers[runName]
  if (id === undefined) return noRun
  return pipe(
    importRunLine.decode({ [importRunLineHeader]: headers[lineName] }),
    E.bimap(
      (errors): Refusal => ({ _tag: 'RequestNotValid', errors: fieldErrorsOf(errors) }),
      // A header that was sent twice names no run.
      (read) => ({ id: String(id), firstLine: read[importRunLineHeader] }),
    ),
  )
}

/**
 * Answers requests to an endpoint. Checks in this order, and the first that fails answers: Accept, token, scope, the limits of the key, path, query, idempotency key, import run, and only then the body is read.
 */
const handlerOf = ({ useCases, limits, longBodies }: ApiRouter, endpoint: Endpoint): Handler => {
  const decode = addressDecoder(endpoint)
  const types = endpoint.success instanceof Lines ? [linesType, 'application/json'] : undefined
  const takesLines = endpoint.body instanceof Lines
  const takesJson = endpoint.body !== undefined && !takesLines
  const takesKey = takesIdempotencyKey(endpoint)
  const { budgets } = limits

  const answer = async (
    ctx: AppContext,
    asked: Asked,
    { key, inForce }: Access,
    bytes: Uint8Array,
  ): Promise<Either<Refusal, Reply>> => {
    const { organisation, by } = asked
    const mayGoOn = (): Promise<void> => assertInForce(inForce)
    if (longBodies !== undefined && types === undefined && bytes.length >= longBodyBytes)
      return answeredElsewhere(ctx, { ...asked, route: endpoint.path, bytes }, longBodies)
    const body = takesJson ? await jsonIn(bytes, organisation) : noBody
    if (E.isLeft(body)) return body
    let signal: AbortSignal | undefined
    const gone = () => (signal ??= goneSignal(ctx.res))
    const pace = limits.pace(key, gone)
    const lines = takesLines
      ? await linesBody(ctx, {
          key,
          budgets,
          organisation,
          elsewhere: longBodies && lineElsewhere(longBodies, organisation, by),
          mayGoOn,
          pace,
        })
      : noLines
    if (E.isLeft(lines)) return lines
    const reply = await called(endpoint, useCases, {
      ...asked,
      body: body.right,
      lines: lines.right,
      pace,
      record: ctx.state.accountImport,
      gone,
    })
    if (E.isLeft(reply)) return reply
    return typeof reply.right.body === 'string' ? reply : E.right({ ...reply.right, mayGoOn })
  }

  // With await rather than a chain of TaskEithers: this runs for every request, and the chain took a sixth of its time.
  return async (ctx, captures) => {
    const accepted = acceptable(ctx, types)
    if (E.isLeft(accepted)) return accepted
    const identity = await authenticated(ctx, useCases, endpoint.scope)
    if (E.isLeft(identity)) return identity
    const { organisation, apiKeyId: key } = identity.right
    const passed = limits.admit(ctx, key)
    const within = passed instanceof Promise ? await passed : passed
    if (E.isLeft(within)) return within
    const address = decode(captures, ctx.query)
    if (E.isLeft(address)) return address
    const idempotencyKey = takesKey ? idempotencyKeyIn(ctx) : none
    if (E.isLeft(idempotencyKey)) return idempotencyKey
    const run = endpoint.namesRun === true ? importRunIn(ctx.req.headers) : none
    if (E.isLeft(run)) return run
    const bytes = takesJson ? await bodyBytes(ctx, { key, budgets }) : noBytes
    if (E.isLeft(bytes)) return bytes
    const access = { key, inForce: useCases.reauthenticate(identity.right) }
    const by = actorOf(identity.right, ctx.state.accountImport.requestId)
    const importRun = run.right
    const asked = { organisation, by, claimed: undefined, importRun, ...address.right, path: pathAsked(ctx) }
    if (idempotencyKey.right === undefined) return answer(ctx, asked, access, bytes.right)
    // The same for all ways to write an address.
    const path = `${endpoint.path} ${JSON.stringify(asked.params)}`
    const keyed = { organisation, path, key: idempotencyKey.right, bytes: bytes.right }
    return answeredOnce(ctx, useCases, keyed, (claimed) =>
      answer(ctx, { ...asked, claimed }, access, bytes.right),
    )
  }
}

/** Puts the endpoints of one path behind it; where GET is allowed, HEAD is too. */
const mount = (api: ApiRouter, path: string, ofPath: readonly Endpoint[]): void => {
  const handlers = new Map(ofPath.map((endpoint) => [endpoint.method as string, handlerOf(api, endpoint)]))
  const allow = [...handlers.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  api.router.all(routePath(api.basePath, path), async (ctx) => {
    ctx.state.accountImport.route = path
    const handler = handlers.get(ctx.method === 'HEAD' ? 'GET' : ctx.method)
    const reply: Either<Refusal, Reply> =
      handler === undefined
        ? E.left({ _tag: 'MethodNotAllowed', allow })
        : await handler(ctx, ctx.captures ?? [])
    if (E.isLeft(reply)) refuse(ctx, reply.left)
    else send(ctx, reply.right)
  })
}

/** Puts every endpoint of the contract behind its address. */
export const mountRoutes = (api: ApiRouter): void => {
  const all: readonly Endpoint[] = Object.values(endpoints)
  for (const path of new Set(all.map((endpoint) => endpoint.path)))
    mount(
      api,
      path,
      all.filter((endpoint) => endpoint.path === path),
    )
}
