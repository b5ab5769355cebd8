import type { SentPayload } from '@account-import/core'
import type { Either } from '@account-import/core/adapter-kit'
import { E } from '@account-import/core/adapter-kit'
import type { Refusal } from '@account-import/http-contract'
import { replyOf, type Reply } from './answers.js'
import { jsonIn } from './body/json-body.js'
import { linesBody } from './body/lines-body.js'
import { goneSignal } from './client-gone.js'
import type { AppContext } from './context.js'
import { lineElsewhere } from './long-bodies/line-elsewhere.js'
import type { LongBodies } from './long-bodies/long-request.js'
import type { Admitted } from './admitted.js'
import { noteAccount } from './note-account.js'
import { pathAsked } from './path-asked.js'
import type { Route } from './route.js'
import { whileInForce } from './while-in-force.js'

/** What an endpoint takes as its body. */
export type BodyKind = 'none' | 'json' | 'lines'

const noBody: Either<never, SentPayload> = E.right({ payload: undefined })

const noLines: Either<never, AsyncIterable<never>> = E.right({
  async *[Symbol.asyncIterator]() {},
})

/** What a route answers to a request, or what is wrong with the request's body. */
export const routeAnswer =
  <Params, Query, Success, Status extends number, Tag extends Refusal['_tag']>(
    kind: BodyKind,
    route: Route<Params, Query, Success, Status, Tag>,
    longBodies?: LongBodies,
  ) =>
  async (
    ctx: AppContext,
    {
      organisation,
      by,
      address,
      bytes,
      inForce,
      owner,
      paced,
      pacedResults,
      claimed,
    }: Admitted<Params, Query>,
  ): Promise<Either<Refusal, Reply>> => {
    const body = kind === 'json' ? await jsonIn(bytes, organisation) : noBody
    if (E.isLeft(body)) return body
    const elsewhere = longBodies && lineElsewhere(longBodies, organisation, by)
    const lines = kind === 'lines' ? await linesBody(ctx, { ...owner, organisation, elsewhere }) : noLines
    if (E.isLeft(lines)) return lines
    noteAccount(ctx.state.accountImport, body.right)
    const answer = await route({
      organisation,
      by,
      ...address,
      claimed,
      body: body.right,
      lines: kind === 'lines' ? whileInForce(paced(lines.right), inForce) : lines.right,
      path: pathAsked(ctx),
      pacedResults,
      record: ctx.state.accountImport,
      gone: () => goneSignal(ctx.res),
    })()
    if (E.isLeft(answer)) return answer
    const reply = replyOf(answer.right)
    const { body: answered } = reply
    return E.right(typeof answered === 'string' ? reply : { ...reply, body: whileInForce(answered, inForce) })
  }
