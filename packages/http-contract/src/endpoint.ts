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
import type { Either, TaskEither } from '@account-import/core/adapter-kit'
import type { Addresses } from './address-codecs.js'
import type { BodyName } from './bodies.js'
import { cursorText } from './limits.js'
import type { Lines } from './lines.js'
import type { Problem, Refusal } from './problems.js'
import { warningHeaders } from './warning-headers.js'

/**
 * The answer to a success; warnings are in the headers and change neither status nor body. A list may be answered in
 * pieces instead, a page at a time, so that it never has to be in memory as a whole.
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

/** A request but for its body, decoded as far as the endpoint's codecs go. It can be sent to another thread. */
export type Asked<Params = Addresses[keyof Addresses], Query = Addresses[keyof Addresses]> = Readonly<{
  /** The code of the organisation whose token it is. */
  organisation: string
  /** The actor that the audit log names. */
  by: Actor
  /** Where the request has an idempotency key. */
  claimed: ClaimedRequest | undefined
  /** The import run that the request names, where its endpoint looks for one. */
  importRun: RunReference | undefined
  params: Params
  query: Query
  /** The path as it was asked for, percent-encoded, with everything that a host put before it. */
  path: string
}>

/** The input of an endpoint's call: the request with its body. */
export type EndpointRequest<Params = Addresses[keyof Addresses], Query = Addresses[keyof Addresses]> = Asked<
  Params,
  Query
> &
  Readonly<{
    /** The JSON as it came; its payload is `undefined` for endpoints without a body, and for those that take lines. */
    body: SentPayload
    /** The body of an endpoint that takes lines, read as they are asked for; no lines for any other. */
    lines: AsyncIterable<BulkLine> | Iterable<BulkLine>
    /** Waits until the rate of the key allows so many things more; absent without a rate. */
    pace: ((many: number) => Promise<void>) | undefined
    /** Gets the counts of a bulk request, for the log: they are counted up until its answer ends. */
    record: { counts?: Readonly<Record<string, number>> }
    /** How the refusal of one account of a bulk request is answered, noted for the log. */
    refusedLine: (refusal: Refusal) => Pick<Problem, 'status' | 'body'>
    /** Aborted when the client goes away before its answer is whole. */
    gone: () => AbortSignal
  }>

/**
 * One endpoint as a value, which server, client and documentation read. Without type arguments it is any endpoint.
 *
 * - `path`: below the base address; ends with a slash; parameters stand in braces, one whole segment each
 * - `scope`: what a token must be allowed to do
 * - `params`, `query`: the names of the codecs that decode the percent-decoded texts of the address; absent where there are none
 * - `body`: the name of the body, `undefined` without one. It documents the body; the use case checks it, so that errors of
 *   the fields and others, such as an unknown supplier, come in one answer. As `Lines` it is a stream of such bodies.
 * - `statuses`, `success`: the statuses of success and the one body that they share, which may be a stream of lines
 * - `namesRun`: whether a request may name an import run by its header
 * - `refusals`: the tags that `call` refuses with
 * - `changesNothing`: whether a payload changes nothing, whatever comes of it; absent where each may change something
 * - `call`: calls the use case, and answers its result
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
  scope: Scope
  summary: string
  params?: Params
  query?: Query
  body: BodyName | Lines<Readonly<{ name: BodyName }>> | undefined
  statuses: readonly Status[]
  success: Readonly<{ name: string; is: (value: unknown) => value is Success }>
  namesRun?: true
  refusals: Readonly<Partial<Record<Refusal['_tag'], true>>>
  changesNothing?: (payload: unknown) => boolean
  // A method, so that each endpoint is one of any type: its request is decoded by its own codecs.
  call(
    useCases: UseCases,
    request: EndpointRequest<Addresses[Params], Addresses[Query]>,
  ): Promise<Either<Refused, Answer<Success, Status>>>
}>

type TagsOf<Outcome> = Outcome extends Readonly<{ left: Readonly<{ _tag: infer Tag }> }> ? Tag : never

/** No tag may be named that the call does not refuse with. */
type NoOther<Tag, Outcome> = [Exclude<Tag, TagsOf<Outcome>>] extends [never] ? unknown : { refusals: never }

/** Keeps the types of an endpoint's parts. The call has to fit body, statuses, parameters and refusals. */
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

/** Does the work of a use case, and answers it where it succeeds. */
export const answered = async <Refused, Done, Answered>(
  work: TaskEither<Refused, Done>,
  answerOf: (done: Done) => Answered,
): Promise<Either<NoInfer<Refused>, Answered>> => {
  const outcome = await work()
  return outcome._tag === 'Left' ? outcome : { _tag: 'Right', right: answerOf(outcome.right) }
}

/** Hands the body to a use case as it came, with the import run that the request names. */
export const submission = ({ organisation, by, body, importRun }: EndpointRequest) => ({
  organisation,
  by,
  ...body,
  ...(importRun !== undefined && { importRun }),
})

/** A success without headers of its own. */
export const ok = <Body>(body: Body) => ({ status: 200, headers: {}, body }) as const

/** What was made, with the warnings about what it was made from. */
export const made = <Body>(body: Body, warnings: readonly FieldError[]) =>
  ({ status: 201, headers: warningHeaders(warnings), body }) as const

/**
 * A page of a list. `path`: that of the list as it was asked for, percent-encoded; `placeText`: the place of its last item, after which
 * the next page begins. Where there is one, the header `Link` (RFC 8288) leads to it, with the `others` of its parameters.
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
