import type { IncomingMessage } from 'node:http'
import { refuse } from './answers.js'
import {
  type AppContext,
  type AppMiddleware,
  isClientGone,
  requestIdOf,
  type RequestRecord,
} from './context.js'
import { fixedHeaders } from './fixed-headers.js'
import type { LogEntry } from './log-entry.js'

const absolute = /^https?:\/\/([^/?#]+)(.*)$/i

/**
 * The path and query that a request target asks for (RFC 9112, section 3.2): a target that names a scheme and a host too, as for a
 * proxy, is the same request. Undefined for a target that has no path.
 */
const originForm = (target: string): string | undefined => {
  if (target.startsWith('/')) return target
  const [, authority = '', rest = ''] = absolute.exec(target) ?? []
  if (!URL.canParse(`http://${authority}/`)) return undefined
  return rest.startsWith('/') ? rest : `/${rest}`
}

const levelOf = (
  status: number,
  { failure, refreshTokenReused, isProbe }: RequestRecord,
): LogEntry['level'] => {
  if (status === 503 || refreshTokenReused !== undefined) return 'warn'
  if (failure !== undefined || status >= 500) return 'error'
  return isProbe === true && status === 200 ? 'debug' : 'info'
}

const entryOf = (ctx: AppContext, durationMs: number): LogEntry => {
  const { res } = ctx
  const record = ctx.state.accountImport
  const { requestId, route, organisation, apiKeyId, code, replayed } = record
  const { errors, counts, lineCodes, refreshTokenReused, failure } = record
  const status = res.headersSent ? res.statusCode : 0
  return {
    event: 'request',
    level: levelOf(status, record),
    requestId,
    method: ctx.method,
    route,
    status,
    durationMs: Math.round(durationMs * 1000) / 1000,
    aborted: !res.writableFinished,
    ...(organisation === undefined ? {} : { organisation }),
    ...(apiKeyId === undefined ? {} : { apiKeyId }),
    ...(code === undefined ? {} : { code }),
    ...(replayed === undefined ? {} : { replayed }),
    ...(errors === undefined ? {} : { errors }),
    ...(counts === undefined ? {} : { counts: { ...counts } }),
    ...(lineCodes === undefined ? {} : { lineCodes }),
    ...(refreshTokenReused === undefined ? {} : { refreshTokenReused }),
    ...(failure === undefined ? {} : { failure }),
  }
}

/** One entry for each request, when its answer has been handed over whole or its connection is gone. */
const logWhenEnded = (ctx: AppContext, log: (entry: LogEntry) => void): void => {
  const startedAt = performance.now()
  ctx.res.once('close', () => log(entryOf(ctx, performance.now() - startedAt)))
}

const lingerMilliseconds = 10_000

/** Reads on and throws away, so that a client that is still sending gets its answer; but not for long. */
const drain = (request: IncomingMessage): void => {
  const timer = setTimeout(() => request.socket.destroy(), lingerMilliseconds)
  timer.unref()
  request.once('close', () => clearTimeout(timer))
  request.resume()
}

/** Discards a body that was refused before it was read whole, so that it blocks neither connection nor memory. */
const discardUnreadBody = ({ req, res }: AppContext): void => {
  res.once('finish', () => {
    if (!req.complete) drain(req)
  })
}

/** Puts the origin form of the request's target before all that reads it; false where it has none. */
const hasOriginForm = (ctx: AppContext): boolean => {
  const [target, whole] = [originForm(ctx.url), originForm(ctx.originalUrl)]
  if (target === undefined || whole === undefined) return false
  ctx.url = target
  ctx.originalUrl = whole
  return true
}

const begin = (ctx: AppContext): void => {
  const requestId = requestIdOf(ctx.req.headers['x-request-id'])
  ctx.state.accountImport = { requestId, route: 'unmatched' }
  ctx.res.setHeader('X-Request-Id', requestId)
  for (const [name, value] of fixedHeaders) ctx.res.setHeader(name, value)
}

/**
 * The middleware around every request: its id, the headers of every answer, its entry in the log, and 500 for anything that
 * was thrown. Refusals are values and are not thrown, so that is a bug of the service; or the client went away while
 * its body was read, and there is nobody to answer. One middleware, as each would cost every request a promise.
 */
export const everyRequest =
  (log: (entry: LogEntry) => void): AppMiddleware =>
  async (ctx, next) => {
    begin(ctx)
    logWhenEnded(ctx, log)
    discardUnreadBody(ctx)
    try {
      if (hasOriginForm(ctx)) await next()
      else refuse(ctx, { _tag: 'NotHttp', status: 400, wrong: 'target' })
    } catch (cause) {
      if (!isClientGone(cause)) refuse(ctx, { _tag: 'Unexpected', cause })
    }
  }

/** The last middleware: no route took the request. */
export const notFound: AppMiddleware = (ctx) => {
  refuse(ctx, { _tag: 'NothingHere' })
}
