import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import {
  type Actor,
  type Authenticated,
  type ClaimedRequest,
  type KeptAnswer,
  type LineElsewhere,
  portFailure,
  type RunReference,
  type SentPayload,
  type UseCases,
  whoHasKey,
} from '@account-import/core'
import { E, type Either, pipe } from '@account-import/core/adapter-kit'
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

const none: Either<never, undefined> = E.right(undefined)

/** The key of a request; undefined where it has none. */
const idempotencyKeyIn = (ctx: AppContext): Either<Refusal, string | undefined> => {
  const key = ctx.req.headers[headerName]
  if (key === undefined) return none
  return typeof key === 'string' && idempotencyKeyPattern.test(key)
    ? E.right(key)
    : E.left({ _tag: 'IdempotencyKeyNotValid' })
}

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

/** The response to a request with a key: that of `first`, or the stored one. */
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

/** The actor that the audit log names for a client. */
const actorOf = ({ apiKeyId, keyName }: Authenticated, requestId: string): Actor => ({
  who: whoHasKey(apiKeyId, keyName),
  requestId,
})

/** The router of the API, the base path of its addresses, and the dependencies of its handlers. */
export type ApiRouter = Readonly<{
  router: Router<AppState>
  useCases: UseCases
  basePath: string
  limits: KeyLimits
  longBodies?: LongBodies | undefined
}>

/** Checks that the access of a request is still valid. Repeated calls read the store once in 30 seconds. */
type InForce = () => ReturnType<UseCases['reauthenticate']>

/** The key of a request was revoked, or its organisation disabled, or its session ended, during the response. */
class AccessEnded extends Error {
  override readonly name = 'AccessEnded'
}

/** Throws when the access of a request has ended or cannot be checked. For requests that take longer than a revocation may. */
const assertInForce = async (inForce: InForce): Promise<void> => {
  const answer = await inForce()
  if (E.isRight(answer)) return
  throw answer.left._tag === 'PortFailure' ? answer.left : new AccessEnded('The access of the request ended.')
}

/** The key of a request, and the check that its access is still valid. */
type Access = Readonly<{ key: string; inForce: InForce }>

const noBytes: Either<never, Uint8Array> = E.right(new Uint8Array())

const noBody: Either<never, SentPayload> = E.right({ payload: undefined })

const noLines: Either<never, readonly never[]> = E.right([])

/** Answers requests to one endpoint. */
type Handler = (ctx: AppContext, captures: readonly string[]) => Promise<Either<Refusal, Reply>>

/** Answers an admitted request in another thread, and adds the notes of that thread to the record. */
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

/** Processes a long line in another thread. A thread that dies fails this line alone. */
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

/** The import run that a request names, and the line number of its first line in the source of the run. */
const importRunIn = (headers: IncomingHttpHeaders): Either<Refusal, RunReference | undefined> => {
  const id = headers[runName]
  if (id === undefined) return none
  return pipe(
    importRunLine.decode({ [importRunLineHeader]: headers[lineName] }),
    E.bimap(
      (errors): Refusal => ({ _tag: 'RequestNotValid', errors: fieldErrorsOf(errors) }),
      // Repeated headers are joined by a comma, so they name no run.
      (read) => ({ id: String(id), firstLine: read[importRunLineHeader] }),
    ),
  )
}

/**
 * Answers requests to an endpoint. The first failed check refuses the request, in this order: Accept, token, scope, limits of the
 * key, path, query, idempotency key, import run. The body is read after all of these checks.
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

  return async (ctx, captures) => {
    const accepted = acceptable(ctx, types)
    if (E.isLeft(accepted)) return accepted
    const identity = await authenticated(ctx, useCases, endpoint.scopes)
    if (E.isLeft(identity)) return identity
    const { organisation, scopes, apiKeyId: key } = identity.right
    const passed = limits.admit(ctx, identity.right)
    const within = passed instanceof Promise ? await passed : passed
    if (E.isLeft(within)) return within
    const address = decode(captures, ctx.query)
    if (E.isLeft(address)) return address
    const idempotencyKey = takesKey ? idempotencyKeyIn(ctx) : none
    if (E.isLeft(idempotencyKey)) return idempotencyKey
    const run = endpoint.namesRun === true ? importRunIn(ctx.req.headers) : none
    if (E.isLeft(run)) return run
    const bytes = takesJson ? await bodyBytes(ctx, { organisation, key, budgets }) : noBytes
    if (E.isLeft(bytes)) return bytes
    const access = { key, inForce: () => useCases.reauthenticate(identity.right) }
    const by = actorOf(identity.right, ctx.state.accountImport.requestId)
    const importRun = run.right
    const named = { organisation, by, scopes, claimed: undefined, importRun }
    const asked = { ...named, ...address.right, path: pathAsked(ctx) }
    if (idempotencyKey.right === undefined) return answer(ctx, asked, access, bytes.right)
    // Equal for all spellings of an address.
    const path = `${endpoint.path} ${JSON.stringify(asked.params)}`
    const keyed = { organisation, path, key: idempotencyKey.right, bytes: bytes.right }
    return answeredOnce(ctx, useCases, keyed, (claimed) =>
      answer(ctx, { ...asked, claimed }, access, bytes.right),
    )
  }
}

/** Mounts the endpoints of one path; GET allows HEAD too. */
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

/** Mounts every endpoint of the contract. */
export const mountRoutes = (api: ApiRouter): void => {
  const all: readonly Endpoint[] = Object.values(endpoints)
  for (const path of new Set(all.map((endpoint) => endpoint.path)))
    mount(
      api,
      path,
      all.filter((endpoint) => endpoint.path === path),
    )
}
