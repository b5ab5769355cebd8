import { E } from '@account-import/core/adapter-kit'
import type { Router } from '@koa/router'
import { allowMethod } from './admission.js'
import { refuse, send } from './answers.js'
import type { AppState } from './context.js'

/** Metrics as a monitoring system reads them. */
export type MetricsText = Readonly<{ contentType: string; text: string }>

const keptMilliseconds = 1000

/** However many ask, one text is made at a time, and given to all until it is a second old. One that fails is not kept. */
const keptForASecond = <A>(make: () => Promise<A>): (() => Promise<A>) => {
  let made: Promise<A> | undefined
  let until = Infinity
  const begin = async (): Promise<A> => {
    until = Infinity
    try {
      const value = await make()
      until = performance.now() + keptMilliseconds
      return value
    } catch (cause) {
      until = 0
      throw cause
    }
  }
  return () => {
    if (made === undefined || performance.now() >= until) made = begin()
    return made
  }
}

/** Puts `/metrics` at the root, whatever the base path of the API; whoever reaches it may read it. */
export const mountMetrics = (router: Router<AppState>, metrics: () => Promise<MetricsText>): void => {
  const path = '/metrics'
  const shared = keptForASecond(metrics)
  router.all(path, async (ctx) => {
    ctx.state.accountImport.route = path
    ctx.state.accountImport.isProbe = true
    const allowed = allowMethod('GET', ctx.method)
    if (E.isLeft(allowed)) return refuse(ctx, allowed.left)
    const { contentType, text } = await shared()
    send(ctx, { status: 200, headers: { 'Content-Type': contentType }, body: text })
  })
}
