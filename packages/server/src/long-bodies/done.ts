import type { LongAnswer } from '@account-import/adapter-http-koa'

/** What the thread says of a request: its answer, or the name of what went wrong. */
export type Done = Readonly<{ answer: LongAnswer }> | Readonly<{ failure: string }>
