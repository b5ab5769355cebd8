import type {
  Actor,
  BulkLine,
  ClaimedRequest,
  FieldError,
  RunReference,
  Scope,
  SentPayload,
  UseCases,
} from '@account-import/core'
import type { Either } from '@account-import/core/fp'
import * as t from 'io-ts'
import type { Addresses } from './address-codecs.js'
import type { BodyName } from './bodies.js'
import { cursorText } from './limits.js'
import type { Lines } from './lines.js'
import type { Problem, Refusal } from './problems.js'
import { warningHeaders } from './warning-headers.js'

export const textOrNull = t.union([t.string, t.null])

/** A codec of one of the names. */
export const oneOf = <const Name extends string>(names: readonly Name[]) =>
  t.keyof(Object.fromEntries(names.map((name) => [name, null])) as Record<Name, null>)

/**
 * The response to a success. Warnings are in its headers and change neither status nor body. A list may be streamed instead, a
 * page at a time, so that the whole list is never in memory.
 */
export type Answer<Success, Status extends number> = Readonly<{
  status: Status
  headers: Readonly<Record<string, string>>
}> &
  (
    | Readonly<{ body: Success }>
    | Readonly<{
        pages: Success extends readonly (infer Item)[]
          ? AsyncIterable<readonly Item[]>
          : unknown extends Success
            ? AsyncIterable<readonly unknown[]>
            : never
      }>
  )

/** A request without its body, decoded by the endpoint's codecs. It can be sent to another thread. */
export type Asked<Params = Addresses[keyof Addresses], Query = Addresses[keyof Addresses]> = Readonly<{
  /** The code of the organisation that owns the token. */
  organisation: string
  /** The actor that the audit log names. */
  by: Actor
  /** The scopes of the token. */
  scopes: readonly Scope[]
  /** The claimed idempotency record; absent without an idempotency key. */
  claimed: ClaimedRequest | undefined
  /** The import run that the request names, if its endpoint has `namesRun`. */
  importRun: RunReference | undefined
  params: Params
  query: Query
  /** The requested path, percent-encoded, with the prefix of a host application. */
  path: string
}>

/** The input of an endpoint's call: the request with its body. */
export type EndpointRequest<Params = Addresses[keyof Addresses], Query = Addresses[keyof Addresses]> = Asked<
  Params,
  Query
> &
  Readonly<{
    /** The parsed JSON; its payload is `undefined` for endpoints without a body, and for those that take lines. */
    body: SentPayload
    /** The lines of an endpoint that takes lines, read on demand; empty for any other endpoint. */
    lines: AsyncIterable<BulkLine> | Iterable<BulkLine>
    /** Waits until the rate of the key allows `many` more items, each counted as a request; absent without a rate. */
    pace: ((many: number) => Promise<void>) | undefined
    /** Receives the counts of a bulk request, for the log. They grow until the response ends. */
    record: { counts?: Readonly<Record<string, number>> }
    /** Maps the refusal of one account of a bulk request to its line, and notes it for the log. */
    refusedLine: (refusal: Refusal) => Pick<Problem, 'status' | 'body'>
    /** The signal aborts when the client disconnects before its response is complete. */
    gone: () => AbortSignal
  }>

/**
 * One endpoint as a value that server, client and documentation share. Without type arguments the type is any endpoint.
 *
 * - `path`: relative to the base address; ends with a slash; parameters are in braces, each a whole segment
 * - `scopes`: the scopes that a token needs, all of them; none where any token will do
 * - `params`, `query`: the names of the codecs that decode the percent-decoded texts of the address; absent where there are none
 * - `body`: the name of the body, `undefined` without one; `Lines` of a name is a stream of such bodies. The name documents the
 *   body. The use case validates it, so that one response has the errors of fields and others, such as an unknown supplier.
 * - `statuses`, `success`: the statuses of success and the one body that they share, which may be a stream of lines
 * - `namesRun`: whether a request may name an import run by its header
 * - `refusals`: the tags of the refusals that `call` returns
 * - `changesNothing`: whether a request with this payload changes nothing in any outcome; absent if each may change something
 * - `call`: calls the use case, and maps its result to a response
 */
export type Endpoint<
  Success = unknown,
  Status extends number = number,
  Params extends keyof Addresses = keyof Addresses,
  Query extends keyof Addresses = keyof Addresses,
  Refused extends Refusal = Refusal,
> = Readonly<{
  method: 'GET' | 'POST'
  path: string
  scopes: readonly Scope[]
  summary: string
  params?: Params
  query?: Query
  body: BodyName | Lines<Readonly<{ name: BodyName }>> | undefined
  statuses: readonly Status[]
  success: Readonly<{ name: string; is: (value: unknown) => value is Success }>
  namesRun?: true
  refusals: Readonly<Partial<Record<Refusal['_tag'], true>>>
  changesNothing?: (payload: unknown) => boolean
  // A method, as its parameters are bivariant: each endpoint is an `Endpoint`, and its own codecs decode its requests.
  call(
    useCases: UseCases,
    request: EndpointRequest<Addresses[Params], Addresses[Query]>,
  ): Promise<Either<Refused, Answer<Success, Status>>>
}>

/** The scopes that a token needs, for the documentation. */
export const scopesText = ({ scopes }: Pick<Endpoint, 'scopes'>): string => {
  if (scopes.length === 0) return 'any scope'
  return `the scope${scopes.length === 1 ? '' : 's'} ${scopes.join(' and ')}`
}

type TagsOf<Outcome> = Outcome extends Readonly<{ left: Readonly<{ _tag: infer Tag }> }> ? Tag : never

/** Rejects a tag that the call never returns. */
type NoOther<Tag, Outcome> = [Exclude<Tag, TagsOf<Outcome>>] extends [never] ? unknown : { refusals: never }

/** Infers the types of an endpoint's parts. The call must match statuses, success, parameters and refusals. */
export const endpoint = <
  Success,
  const Status extends number,
  Tag extends Refusal['_tag'],
  Outcome extends Either<Extract<Refusal, { _tag: Tag }>, Answer<NoInfer<Success>, NoInfer<Status>>>,
  Params extends keyof Addresses = 'none',
  Query extends keyof Addresses = 'none',
>(
  definition: Omit<Endpoint<Success, Status, Params, Query>, 'call' | 'refusals'> &
    Readonly<{
      refusals: Readonly<Record<Tag, true>>
      call: (
        useCases: UseCases,
        request: EndpointRequest<Addresses[Params], Addresses[Query]>,
      ) => Promise<Outcome>
    }> &
    NoOther<Tag, Outcome>,
): Endpoint<Success, Status, Params, Query, Extract<Refusal, { _tag: Tag }>> => definition

/** Maps the success of a use case to a response. */
export const answered = async <Refused, Done, Answered>(
  work: Promise<Either<Refused, Done>>,
  answerOf: (done: Done) => Answered,
): Promise<Either<NoInfer<Refused>, Answered>> => {
  const outcome = await work
  return outcome._tag === 'Left' ? outcome : { _tag: 'Right', right: answerOf(outcome.right) }
}

/** The input of a use case: the unchanged body, and the import run that the request names. */
export const submission = ({ organisation, by, body, importRun }: EndpointRequest) => ({
  organisation,
  by,
  ...body,
  ...(importRun !== undefined && { importRun }),
})

/** A success without headers of its own. */
export const ok = <Body>(body: Body) => ({ status: 200, headers: {}, body }) as const

/** A 201 with the warnings about the request. */
export const made = <Body>(body: Body, warnings: readonly FieldError[]) =>
  ({ status: 201, headers: warningHeaders(warnings), body }) as const

/**
 * A page of a list. `path`: the requested path of the list, percent-encoded; `placeText`: encodes the place of the last item,
 * after which the next page begins. The header `Link` (RFC 8288) has the address of the next page, if there is one, with `others`
 * as parameters.
 */
export const pageAnswer =
  <Item, Place, Body>(
    {
      path,
      limit,
      placeText,
    }: Readonly<{ path: string; limit: number; placeText: (place: Place) => string }>,
    bodyOf: (item: Item) => Body,
    others: Readonly<Record<string, string | undefined>> = {},
  ) =>
  ({ items, next }: Readonly<{ items: readonly Item[]; next: Place | undefined }>) =>
    ({
      status: 200,
      headers: nextPage(path, limit, next && cursorText(placeText(next)), others),
      body: items.map(bodyOf),
    }) as const

const nextPage = (
  path: string,
  limit: number,
  cursor: string | undefined,
  others: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> => {
  if (cursor === undefined) return {}
  const more = Object.entries(others).map(([name, value]) =>
    value === undefined ? '' : `&${name}=${encodeURIComponent(value)}`,
  )
  const target = `${path.replace(/[<>"]/g, encodeURIComponent)}?limit=${limit}&cursor=${cursor}${more.join('')}`
  return { Link: `<${target}>; rel="next"` }
}
