import type { MarketPack } from '@account-import/core'
import { E } from '@account-import/core/adapter-kit'
import type { AppContext } from '../context.js'
import { allowMethod } from '../allow-method.js'
import { refuse } from '../answers.js'
import type { ApiRouter } from '../mount.js'
import { pathAsked } from '../path-asked.js'
import { routePath } from '../route-path.js'
import { answerAsset } from './answer-asset.js'
import { documentsOf } from './documents.js'
import { keptDocuments, type KeptDocumentAt } from './kept-documents.js'
import { missing } from './missing.js'
import { searchAnswer } from './search-answer.js'

const answer = async (ctx: AppContext, documentAt: KeptDocumentAt, name: string): Promise<void> => {
  const document = await documentAt(pathAsked(ctx), name)
  if (document === undefined) return missing(ctx)
  ctx.status = 200
  ctx.set(document.headers)
  if (ctx.fresh) ctx.status = 304
  else ctx.body = document.bytes
}

type AnswerFor = (ctx: AppContext, captures: readonly string[]) => Promise<void>

/** Mounts the documentation of a service with these markets; it needs no token and is the same for everybody. */
export const mountDocs = (
  { router, basePath }: Pick<ApiRouter, 'router' | 'basePath'>,
  markets: readonly MarketPack[],
): void => {
  const routeTo = (path: string, answerFor: AnswerFor): void => {
    router.all(routePath(basePath, path), async (ctx) => {
      ctx.state.accountImport.route = path
      const allowed = allowMethod('GET', ctx.method)
      if (E.isLeft(allowed)) return refuse(ctx, allowed.left)
      await answerFor(ctx, ctx.captures ?? [])
    })
  }
  for (const [path, makeAt] of documentsOf(markets)) {
    const documentAt = keptDocuments(makeAt)
    routeTo(path, (ctx, captures) => answer(ctx, documentAt, captures.join('/')))
  }
  routeTo('/docs/search/', searchAnswer(markets))
  routeTo('/docs/interactive/{file}', (ctx, [name = '']) => answerAsset(ctx, name))
}
