import type { AppContext } from './context.js'

/** The path of the request as it came, with everything that a host application put before it. */
export const pathAsked = (ctx: AppContext): string => ctx.originalUrl.replace(/[?#].*$/, '')
