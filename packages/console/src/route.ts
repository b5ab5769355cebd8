import { setImmediate } from 'node:timers/promises'
import { type AppContext, htmlType, noteFailure, type Reply } from '@account-import/adapter-http-koa/pages'
import { type Actor, detailOf, type Scope, type UseCases } from '@account-import/core'
import { E, type Either } from '@account-import/core/fp'
import { html, type Html } from '@account-import/core/html'
import { fieldErrorsOf, problemOf, type Refusal } from '@account-import/http-contract'
import type { Visitor } from './access.js'
import { codeLink } from './components.js'
import { type Frame, type Page, pageEnd, pageStart } from './layout.js'

/** A request of a visitor for a page. `captures`: the decoded parameters of the path, in their order; `now`: in milliseconds. */
export type Visit = Readonly<{
  ctx: AppContext
  useCases: UseCases
  frame: Frame
  visitor: Visitor
  organisation: string
  by: Actor
  captures: readonly string[]
  query: URLSearchParams
  now: number
}>

export type Answer = Promise<Either<Refusal, Reply>>

/** The parts of a page in the order in which they are sent. */
export type Parts = AsyncGenerator<Html, void, void>

/** The address of a page below `console/`, with `{}` for parameters, and its answers by method. GET answers HEAD too. */
export type Route = Readonly<{
  path: string
  scopes: readonly Scope[]
  GET?: (visit: Visit) => Answer
  POST?: (visit: Visit) => Answer
}>

export const page = (body: string): Either<never, Reply> =>
  E.right({ status: 200, headers: {}, body, type: htmlType })

/** Leads to another address, relative to that of the request. */
export const redirected = (status: 302 | 303, address: string): Either<never, Reply> =>
  E.right({ status, headers: { Location: address }, body: '', type: htmlType })

async function* sentParts(
  frame: Frame,
  head: Omit<Page, 'parts'>,
  parts: AsyncIterable<Html>,
): AsyncGenerator<string> {
  yield pageStart(frame, head).text
  // The embedded database works in this thread: without a turn of the event loop the part would be sent after the next query.
  await setImmediate()
  for await (const part of parts) {
    yield part.text
    await setImmediate()
  }
  yield pageEnd.text
}

/** A page that is sent part by part, each as soon as it is known: counts of a million accounts take a moment. */
export const streamed = (
  { frame }: Pick<Visit, 'frame'>,
  head: Omit<Page, 'parts'>,
  parts: AsyncIterable<Html>,
): Either<never, Reply> =>
  E.right({ status: 200, headers: {}, body: sentParts(frame, head, parts), type: htmlType })

/** A refusal in a part of a page, noted for the log. */
export const alertOf = ({ ctx, frame }: Pick<Visit, 'ctx' | 'frame'>, refusal: Refusal): Html => {
  const record = ctx.state.accountImport
  noteFailure(record, refusal)
  const { code, detail } = problemOf(refusal, record.requestId).body
  return html`<p class="callout bad" role="alert">${detail} ${codeLink(frame, code)}</p>`
}

/** The value as a part of a page, or the refusal. */
export const shown = <A>(
  visit: Pick<Visit, 'ctx' | 'frame'>,
  answer: Either<Refusal, A>,
  show: (value: A) => Html,
): Html => (E.isLeft(answer) ? alertOf(visit, answer.left) : show(answer.right))

type Decoder<A> = Readonly<{ decode(value: unknown): Either<Parameters<typeof fieldErrorsOf>[0], A> }>

/** Decodes values of the query or the path; the refusal names the wrong ones. */
export const decodedBy = <A>(codec: Decoder<A>, values: unknown): Either<Refusal, A> =>
  E.mapLeft((errors: Parameters<typeof fieldErrorsOf>[0]): Refusal => ({
    _tag: 'RequestNotValid',
    errors: fieldErrorsOf(errors),
  }))(codec.decode(values))

/** A parameter of the query that has one of these values, or is empty or absent. */
export const oneOf = <Value extends string>(
  { query }: Pick<Visit, 'query'>,
  name: string,
  values: readonly Value[],
): Either<Refusal, Value | undefined> => {
  const text = query.get(name) ?? ''
  const value = values.find((each) => each === text)
  return value !== undefined || text === ''
    ? E.right(value)
    : E.left({
        _tag: 'RequestNotValid',
        errors: [{ attr: name, code: 'invalid', detail: detailOf('invalid', { form: values.join(' or ') }) }],
      })
}

/** A parameter of the query; undefined if it is empty or absent. */
export const given = ({ query }: Pick<Visit, 'query'>, name: string): string | undefined =>
  query.get(name)?.trim() || undefined

/** A query of these parameters, without empty ones, that begins with `?`. */
export const queryText = (parameters: Readonly<Record<string, string | undefined>>): string => {
  const all = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value) all.set(name, value)
  return `?${all.toString()}`
}
