import type { AppContext, RequestRecord } from '../context.js'
import type { LogEntry } from '../log-entry.js'

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
export const logWhenEnded = (ctx: AppContext, log: (entry: LogEntry) => void): void => {
  const startedAt = performance.now()
  ctx.res.once('close', () => log(entryOf(ctx, performance.now() - startedAt)))
}
