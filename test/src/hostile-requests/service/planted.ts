import type { createApp } from '@account-import/adapter-http-koa'
import type { UseCases } from '@account-import/core'
import { pipe, TE } from '@account-import/core/adapter-kit'

type Middleware = Parameters<ReturnType<typeof createApp>['use']>[0]

/** A mistake that a service could have: in what its use cases do, or in what becomes of their answers. */
export type Plant = Readonly<{
  useCases?: (useCases: UseCases) => Partial<UseCases>
  around?: Middleware
  /** What is logged of a request besides. */
  logs?: (target: string) => string
}>

type Json = Record<string, unknown>

const holdsNull = (payload: unknown): boolean => JSON.stringify(payload ?? '').includes(':null')

const withoutNull = (payload: unknown): unknown =>
  JSON.parse(JSON.stringify(payload), (_, value: unknown) => value ?? undefined)

/** Changes the answers that have this address and status, where their body is whole. */
const rewriting =
  (path: RegExp, status: number, change: (body: Json, ctx: Parameters<Middleware>[0]) => void): Middleware =>
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
  (act: (ctx: Parameters<Middleware>[0]) => void): Middleware =>
  async (ctx, next) => {
    await next()
    act(ctx)
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
    useCases: ({ validateAccount }) => ({
      validateAccount: (submission) => {
        if (holdsNull(submission.payload)) throw new TypeError('null is not iterable')
        return validateAccount(submission)
      },
    }),
  },
  'a status that is not declared': {
    around: rewriting(/create-or-update/, 200, (_, ctx) => (ctx.status = 202)),
  },
  'a code that is not declared': {
    around: rewriting(/account-transfer-status/, 404, (body) => (body['code'] = 'account_not_found')),
  },
  'a field too many': { around: rewriting(/account-import-summary/, 200, (body) => (body['id'] = 7)) },
  'a field that is missing': {
    around: rewriting(/account-transfer-status/, 200, (body) => {
      if (body['status'] === 'COMPLETED') delete body['attempts']
    }),
  },
  'a number in place of a text': {
    around: rewriting(/process\/process/, 201, (body) => (body['platform_account_number'] = 7)),
  },
  'a wrong content type': {
    around: after((ctx) => ctx.status === 406 && ctx.set('Content-Type', 'text/plain')),
  },
  'a value that was sent in the text of an error': {
    useCases: ({ stageAccount }) => ({
      stageAccount: (submission) =>
        pipe(
          stageAccount(submission),
          TE.mapLeft((refusal) =>
            refusal._tag === 'AccountFailedValidation'
              ? {
                  ...refusal,
                  errors: refusal.errors.map((entry) => ({
                    ...entry,
                    detail: `${entry.detail} ${JSON.stringify(submission.payload)}`,
                  })),
                }
              : refusal,
          ),
        ),
    }),
  },
  'a stack in the text of an error': {
    around: rewriting(/create/, 404, (body) => (body['detail'] = `Error\n    at find (/srv/find.js:1:1)`)),
  },
  'a value that was sent in the log': { logs: (target) => target },
  'a missing Retry-After': {
    around: after((ctx) => [409, 429].includes(ctx.status) && ctx.remove('Retry-After')),
  },
  'a header that is not declared': {
    around: after((ctx) => ctx.status === 403 && ctx.set('X-Reason', 'scope')),
  },
  'a request that is never answered': {
    around: async (ctx, next) => {
      if (/cursor=(&|$)/.test(ctx.querystring)) await new Promise(() => undefined)
      await next()
    },
  },
  'a crash': {
    around: async (ctx, next) => {
      if (ctx.get('Content-Encoding') === 'br')
        setImmediate(() => {
          throw new Error('no such decoder')
        })
      await next()
    },
  },
  'a body that is accepted though the document refuses it': {
    useCases: ({ validateAccount }) => ({
      validateAccount: (submission) => {
        const { organisation, payload } = submission
        return validateAccount(
          holdsNull(payload) ? { organisation, payload: withoutNull(payload) } : submission,
        )
      },
    }),
  },
  'a body that is refused though it is good': {
    useCases: ({ addNotes }) => ({
      addNotes: (submission) =>
        JSON.stringify(submission.payload ?? null).includes('-3"')
          ? TE.left({ _tag: 'AccountNotFound' as const })
          : addNotes(submission),
    }),
  },
  'a line that is not answered': {
    useCases: ({ bulkValidate }) => ({
      bulkValidate: (submission) =>
        pipe(
          bulkValidate(submission),
          TE.map((results) => withoutThird(results)),
        ),
    }),
  },
}
