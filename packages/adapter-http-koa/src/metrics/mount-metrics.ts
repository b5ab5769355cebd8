import { E } from '@account-import/core/adapter-kit'
import type { Router } from '@koa/router'
import { allowMethod } from '../allow-method.js'
import { refuse, send } from '../answers.js'
import type { AppState } from '../context.js'

/** Metrics as a monitoring system reads them. */
export type MetricsText = Readonly<{ contentType: string; text: string }>

/** However many ask at one time, the work is done once. */
const asOne = <A>(make: () => Promise<A>): (() => Promise<A>) => {
  let making: Promise<A> | undefined
  const made = async (): Promise<A> => {
    try {
      return await make()
    } finally {
      making = undefined
    }
  }
  return () => (making ??= made())
}

/** Puts `/metrics` at the root, whatever the base path of the API; whoever reaches it may read it. */
export const mountMetrics = (router: Router<AppState>, metrics: () => Promise<MetricsText>): void => {
  const path = '/metrics'
  const shared = asOne(metrics)
  router.all(path, async (ctx) => {
    ctx.state.accountImport.route = path
    ctx.state.accountImport.isProbe = true
    const allowed = allowMethod('GET', ctx.method)
    if (E.isLeft(allowed)) return refuse(ctx, allowed.left)
    const { contentType, text } = await shared()
    send(ctx, { status: 200, headers: { 'Content-Type': contentType }, body: text })
  })
}
