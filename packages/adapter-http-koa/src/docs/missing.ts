import type { AppContext } from '../context.js'
import { refuse } from '../answers.js'
import { pathAsked } from '../path-asked.js'
import { pageOf } from './page-of.js'
import { rootFrom } from './root-from.js'

/** Who asks for a page gets one, also where there is none. */
export const missing = async (ctx: AppContext): Promise<void> => {
  refuse(ctx, { _tag: 'NothingHere' })
  if (ctx.accepts('application/json', 'text/html') !== 'text/html') return
  const path = pathAsked(ctx)
  const isCode = ctx.state.accountImport.route.startsWith('/docs/errors/')
  const page = await pageOf(({ noErrorPage, noPage }) =>
    isCode ? noErrorPage(path.endsWith('/') ? '../' : './') : noPage(rootFrom(path, 2)),
  )
  if (page === undefined) return
  ctx.set(page.headers)
  ctx.body = page.text
}
