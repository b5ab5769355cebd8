import type { LongWork } from '@account-import/adapter-http-koa'

/** Work for the thread: a function of `LongWork`, and its input. */
export type Asked = {
  [Name in keyof LongWork]: Readonly<{ name: Name; request: Parameters<LongWork[Name]>[0] }>
}[keyof LongWork]

/** The output of the function, or the name of the error that it ended with. */
export type Done =
  | Readonly<{ result: Awaited<ReturnType<LongWork[keyof LongWork]>> }>
  | Readonly<{ failure: string }>
