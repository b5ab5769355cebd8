import { portFailure } from '@account-import/core'
import { E } from '@account-import/core/adapter-kit'
import { problemOf } from '@account-import/http-contract'
import type { Router } from '@koa/router'
import { allowMethod } from '../allow-method.js'
import { refuse, send, type Reply } from '../answers.js'
import type { AppContext, AppState } from '../context.js'
import { readinessStatus, type Readiness } from './readiness.js'

const jsonOf = (status: number, body: object): Reply => ({ status, headers: {}, body: JSON.stringify(body) })

const alive = async (): Promise<Reply> => jsonOf(200, { status: 'alive' })

/** Not ready is answered as any other service that is not available, with what is wrong beside it. */
const notReady = (ctx: AppContext, checks: Readiness): Reply => {
  const failure = portFailure('unavailable', 'readiness', 'check', undefined)
  const { status, headers, body } = problemOf(failure, ctx.state.accountImport.requestId)
  ctx.state.accountImport.code = body.code
  return { ...jsonOf(status, { status: 'not_ready', checks, ...body }), headers }
}

const readinessReply = async (ctx: AppContext, readiness: () => Promise<Readiness>): Promise<Reply> => {
  const checks = await readiness()
  const status = readinessStatus(checks)
  return status === 'not_ready' ? notReady(ctx, checks) : jsonOf(200, { status, checks })
}

/**
 * Puts `/livez` and `/readyz` at the root, whatever the base path of the API; they need no token. A process that
 * answers is alive: database and storage are not checked for that, as restarting the process would not repair them.
 */
export const mountHealth = (router: Router<AppState>, readiness: () => Promise<Readiness>): void => {
  const probes: readonly (readonly [path: string, replyTo: (ctx: AppContext) => Promise<Reply>])[] = [
    ['/livez', alive],
    ['/readyz', (ctx) => readinessReply(ctx, readiness)],
  ]
  for (const [path, replyTo] of probes)
    router.all(path, async (ctx) => {
      ctx.state.accountImport.route = path
      ctx.state.accountImport.isProbe = true
      const allowed = allowMethod('GET', ctx.method)
      if (E.isLeft(allowed)) refuse(ctx, allowed.left)
      else send(ctx, await replyTo(ctx))
    })
}
