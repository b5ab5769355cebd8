import type { createApp } from '@account-import/adapter-http-koa'
import type { UseCases } from '@account-import/core'
import { E, pipe } from '@account-import/core/adapter-kit'

type Middleware = Parameters<ReturnType<typeof createApp>['use']>[0]
type Context = Parameters<Middleware>[0]

/** A mistake that a service could have, in its use cases or in its responses, and the message that has to report it. */
export type Plant = Readonly<{
  told: RegExp
  useCases?: (useCases: UseCases) => Partial<UseCases>
  around?: Middleware
  /** Whether the address of each request is in the log. */
  logsTarget?: true
}>

type Json = Record<string, unknown>

const holdsNull = (payload: unknown): boolean => JSON.stringify(payload ?? '').includes(':null')

/** Changes the answers that have this address and status, where their body is whole. */
const rewriting =
  (path: RegExp, status: number, change: (body: Json, ctx: Context) => void): Middleware =>
  async (ctx, next) => {
    await next()
    if (!path.test(ctx.path) || ctx.status !== status || typeof ctx.body !== 'string') return
    const body = JSON.parse(ctx.body) as Json
    change(body, ctx)
    const type = ctx.response.get('Content-Type')
    ctx.body = JSON.stringify(body)
    ctx.set('Content-Type', type)
  }

const after =
  (act: (ctx: Context) => void): Middleware =>
  async (ctx, next) => {
    await next()
    act(ctx)
  }

const before =
  (act: (ctx: Context) => unknown): Middleware =>
  async (ctx, next) => {
    await act(ctx)
    await next()
  }

async function* withoutThird<A>(pages: AsyncIterable<readonly A[]>): AsyncGenerator<readonly A[]> {
  let seen = 0
  for await (const page of pages) {
    yield page.filter((_, i) => seen + i !== 2)
    seen += page.length
  }
}

/** Mistakes, each of which a run has to find. */
export const planted: Readonly<Record<string, Plant>> = {
  'a route that throws on null': {
    told: /a failure of the service: 500 error/,
    useCases: ({ validateAccount }) => ({
      validateAccount: (submission) => {
        if (holdsNull(submission.payload)) throw new TypeError('null is not iterable')
        return validateAccount(submission)
      },
    }),
  },
  'a status that is not declared': {
    told: /the status 202 is not declared/,
    around: rewriting(/create-or-update/, 200, (_, ctx) => (ctx.status = 202)),
  },
  'a code that is not declared': {
    told: /the body is not as declared: \/code enum/,
    around: rewriting(/account-transfer-status/, 404, (body) => (body['code'] = 'account_not_found')),
  },
  'a field too many': {
    told: /unevaluatedProperties \{"unevaluatedProperty":"id"\}/,
    around: rewriting(/account-import-summary/, 200, (body) => (body['id'] = 7)),
  },
  'a field that is missing': {
    told: /required \{"missingProperty":"attempts"\}/,
    around: rewriting(/account-transfer-status/, 200, (body) => {
      if (body['status'] === 'COMPLETED') delete body['attempts']
    }),
  },
  'a number in place of a text': {
    told: /\/platform_account_number type/,
    around: rewriting(/process\/process/, 201, (body) => (body['platform_account_number'] = 7)),
  },
  'a wrong content type': {
    told: /the content type text\/plain/,
    around: after((ctx) => ctx.status === 406 && ctx.set('Content-Type', 'text/plain')),
  },
  'a value that was sent in the text of an error': {
    told: /a value that was sent is in the refusal/,
    useCases: ({ stageAccount }) => ({
      stageAccount: async (submission) => {
        const sent = JSON.stringify(submission.payload)
        return pipe(
          await stageAccount(submission),
          E.mapLeft((refusal) => {
            if (refusal._tag !== 'AccountFailedValidation') return refusal
            const errors = refusal.errors.map((each) => ({ ...each, detail: `${each.detail} ${sent}` }))
            return { ...refusal, errors }
          }),
        )
      },
    }),
  },
  'a stack in the text of an error': {
    told: /the refusal contains internals/,
    around: rewriting(/create/, 404, (body) => (body['detail'] = `Error\n    at find (/srv/find.js:1:1)`)),
  },
  'a value that was sent in the log': { told: /a value that was sent is in the log/, logsTarget: true },
  'a missing Retry-After': {
    told: /the header retry-after is missing/,
    around: after((ctx) => [409, 429].includes(ctx.status) && ctx.remove('Retry-After')),
  },
  'a header that is not declared': {
    told: /the header x-reason is not declared/,
    around: after((ctx) => ctx.status === 403 && ctx.set('X-Reason', 'scope')),
  },
  'a request that is never answered': {
    told: /hangs/,
    around: before((ctx) => /cursor=(&|$)/.test(ctx.querystring) && new Promise(() => undefined)),
  },
  'a crash': {
    told: /cut off|the service does not run any more/,
    around: before((ctx) => {
      if (ctx.get('Content-Encoding') === 'br')
        setImmediate(() => {
          throw new Error('no such decoder')
        })
    }),
  },
  'a body that is accepted though the document refuses it': {
    told: /accepted that the document refuses/,
    // It skips a single error.
    useCases: ({ validateAccount }) => ({
      validateAccount: async (submission) =>
        pipe(
          await validateAccount(submission),
          E.orElse((refusal): Awaited<ReturnType<typeof validateAccount>> =>
            refusal._tag === 'AccountFailedValidation' && refusal.errors.length === 1
              ? E.right({ account: {}, warnings: [], staging: 'created', sameData: undefined })
              : E.left(refusal),
          ),
        ),
    }),
  },
  'a body that is refused though it is good': {
    told: /201 was expected, and 404/,
    useCases: ({ addNotes }) => ({
      addNotes: async (submission) =>
        JSON.stringify(submission.payload ?? null).includes('-3"')
          ? E.left({ _tag: 'AccountNotFound' as const })
          : addNotes(submission),
    }),
  },
  'a line that is not answered': {
    told: /the summary counts|the counts of the summary/,
    useCases: ({ bulkValidate }) => ({
      bulkValidate: async (submission) =>
        pipe(
          await bulkValidate(submission),
          E.map((results) => withoutThird(results)),
        ),
    }),
  },
}
