import type { AppContext, Reply } from '@account-import/adapter-http-koa/pages'
import { htmlType } from '@account-import/adapter-http-koa/pages'
import type { Actor, Scope, UseCases } from '@account-import/core'
import { E, type Either } from '@account-import/core/adapter-kit'
import type { Refusal } from '@account-import/http-contract'
import type { Visitor } from './access.js'
import type { Frame } from './layout.js'

/** A request of a visitor for a page. `captures`: the decoded parameters of the path, in their order. */
export type Visit = Readonly<{
  ctx: AppContext
  useCases: UseCases
  frame: Frame
  visitor: Visitor
  organisation: string
  by: Actor
  captures: readonly string[]
  query: URLSearchParams
}>

export type Answer = Promise<Either<Refusal, Reply>>

/** The address of a page below the base path, with `{}` for parameters, and its answers by method. GET answers HEAD too. */
export type Route = Readonly<{
  path: string
  scopes: readonly Scope[]
  GET?: (visit: Visit) => Answer
  POST?: (visit: Visit) => Answer
}>

export const page = (body: string | AsyncIterable<string>): Either<never, Reply> =>
  E.right({ status: 200, headers: {}, body, type: htmlType })

/** Leads to another address, relative to that of the request. */
export const redirected = (status: 302 | 303, address: string): Either<never, Reply> =>
  E.right({ status, headers: { Location: address }, body: '', type: htmlType })
