import type { UseCases } from '@account-import/core'
import { E, type Either } from '@account-import/core/adapter-kit'
import { endpoints, type Refusal } from '@account-import/http-contract'
import { refused, replyOf, type Reply } from '../answers.js'
import { jsonIn } from '../body/json-body.js'
import type { RequestRecord } from '../context.js'
import type { Endpoints } from '../route.js'
import { noteAccount } from '../note-account.js'
import type { LongBodies, LongRequest } from '../long-bodies/long-request.js'
import { routesOf } from './routes.js'

type Answered = (request: LongRequest, record: RequestRecord) => Promise<Either<Refusal, Reply>>

async function* noLines(): AsyncGenerator<never> {}

/** What each endpoint does with an admitted request, by its path pattern. */
const answersOf = (useCases: UseCases): ReadonlyMap<string, Answered> => {
  const all: Endpoints = endpoints
  const routes = routesOf(useCases)
  const answerOf = <Name extends keyof Endpoints>(name: Name): Answered => {
    const route = routes[name]
    return async ({ organisation, by, claimed, params, query, path, bytes }, record) => {
      const body = await jsonIn(bytes)
      if (E.isLeft(body)) return body
      noteAccount(record, body.right)
      // Params and query were decoded by this endpoint's codecs before they were sent here.
      const decoded = { params, query } as Pick<Parameters<typeof route>[0], 'params' | 'query'>
      const answer = await route({
        organisation,
        by,
        claimed,
        ...decoded,
        body: body.right,
        lines: noLines(),
        path,
        record,
        gone: () => new AbortController().signal,
      })()
      return E.isLeft(answer) ? answer : E.right(replyOf(answer.right))
    }
  }
  return new Map((Object.keys(all) as (keyof Endpoints)[]).map((name) => [all[name].path, answerOf(name)]))
}

/** Answers requests with long bodies; for a thread of its own. What a use case throws is answered 500. */
export const answerLongBodies = (useCases: UseCases): LongBodies => {
  const answers = answersOf(useCases)
  const answered = async (request: LongRequest, record: RequestRecord): Promise<Reply> => {
    try {
      const answer = await answers.get(request.route)?.(request, record)
      if (answer === undefined) throw new TypeError('No endpoint has this path')
      return E.isLeft(answer) ? refused(record, answer.left) : answer.right
    } catch (cause) {
      return refused(record, { _tag: 'Unexpected', cause })
    }
  }
  return async (request) => {
    const record: RequestRecord = { requestId: request.requestId, route: request.route }
    const { status, headers, body } = await answered(request, record)
    if (typeof body !== 'string') throw new TypeError('An answer in pieces cannot be sent to another thread')
    const { account, changesNothing, code, errors, failure } = record
    return {
      status,
      headers,
      body,
      notes: {
        ...(account && { account }),
        ...(changesNothing && { changesNothing }),
        ...(code && { code }),
        ...(errors && { errors }),
        ...(failure && { failure }),
      },
    }
  }
}
