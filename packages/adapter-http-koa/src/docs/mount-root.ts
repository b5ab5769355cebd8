import { E } from '@account-import/core/adapter-kit'
import type { AppContext } from '../context.js'
import { allowMethod } from '../allow-method.js'
import { refuse } from '../answers.js'
import type { ApiRouter } from '../mount.js'
import { pathAsked } from '../path-asked.js'
import { routePath } from '../route-path.js'

/** Leads whoever opens the address of the service to its documentation, wherever a host application has put it. */
export const mountRoot = ({ router, basePath }: Pick<ApiRouter, 'router' | 'basePath'>): void => {
  const lead = (ctx: AppContext, to: string): void => {
    const path = pathAsked(ctx)
    // A router takes // for /, and a browser takes a location that begins with // for another host.
    if (path.endsWith('//')) return refuse(ctx, { _tag: 'NothingHere' })
    ctx.state.accountImport.route = '/'
    const allowed = allowMethod('GET', ctx.method)
    if (E.isLeft(allowed)) return refuse(ctx, allowed.left)
    ctx.redirect(`${path.replace(/\/$/, '')}${to}`)
    ctx.body = null
    ctx.status = 302
  }
  router.all('/', (ctx) => lead(ctx, `${basePath}/docs/`))
  if (basePath !== '') router.all(routePath(basePath, '/'), (ctx) => lead(ctx, '/docs/'))
}
