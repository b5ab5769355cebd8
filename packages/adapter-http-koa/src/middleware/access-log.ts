import type { AppContext } from '../context.js'
import type { LogEntry } from '../log-entry.js'

const levelOf = (status: number, failed: boolean, isProbe = false): LogEntry['level'] => {
  if (status === 503) return 'warn'
  if (failed || status >= 500) return 'error'
  return isProbe && status === 200 ? 'debug' : 'info'
}

const entryOf = (ctx: AppContext, durationMs: number): LogEntry => {
  const { res } = ctx
  const { requestId, route, organisation, code, errors, counts, failure, isProbe } = ctx.state.accountImport
  const status = res.headersSent ? res.statusCode : 0
  return {
    event: 'request',
    level: levelOf(status, failure !== undefined, isProbe),
    requestId,
    method: ctx.method,
    route,
    status,
    durationMs: Math.round(durationMs * 1000) / 1000,
    aborted: !res.writableFinished,
    ...(organisation === undefined ? {} : { organisation }),
    ...(code === undefined ? {} : { code }),
    ...(errors === undefined ? {} : { errors }),
    ...(counts === undefined ? {} : { counts: { ...counts } }),
    ...(failure === undefined ? {} : { failure }),
  }
}

/** One entry for each request, when its answer has been handed over whole or its connection is gone. */
export const logWhenEnded = (ctx: AppContext, log: (entry: LogEntry) => void): void => {
  const startedAt = performance.now()
  ctx.res.once('close', () => log(entryOf(ctx, performance.now() - startedAt)))
}
