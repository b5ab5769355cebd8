import { E } from '@account-import/core/adapter-kit'
import type { Router } from '@koa/router'
import { allowMethod } from '../allow-method.js'
import { refuse, send } from '../answers.js'
import type { AppState } from '../context.js'

/** Metrics as a monitoring system reads them. */
export type MetricsText = Readonly<{ contentType: string; text: string }>

/** Puts `/metrics` at the root, whatever the base path of the API; whoever reaches it may read it. */
export const mountMetrics = (router: Router<AppState>, metrics: () => Promise<MetricsText>): void => {
  const path = '/metrics'
  router.all(path, async (ctx) => {
    ctx.state.accountImport.route = path
    ctx.state.accountImport.isProbe = true
    const allowed = allowMethod('GET', ctx.method)
    if (E.isLeft(allowed)) return refuse(ctx, allowed.left)
    const { contentType, text } = await metrics()
    send(ctx, { status: 200, headers: { 'Content-Type': contentType }, body: text })
  })
}
