import type { AppContext } from '../context.js'
import { missing } from './missing.js'
import { cacheControl } from './page-headers.js'
import { assetStream, siteAssets } from './site-files.js'

/** A file of the interactive reference, packed where the client takes that. */
export const answerAsset = async (ctx: AppContext, name: string): Promise<void> => {
  const assets = await siteAssets()
  const asset = Object.hasOwn(assets, name) ? assets[name] : undefined
  if (asset === undefined) return missing(ctx)
  const isPacked = ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
  ctx.status = 200
  ctx.set({
    'Content-Type': asset.type,
    'Cache-Control': cacheControl,
    ETag: asset.etag,
    Vary: 'Accept-Encoding',
  })
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  if (isPacked) ctx.set('Content-Encoding', 'gzip')
  // The length is known of what is not packed alone; a stream without one is sent in chunks.
  if (ctx.method !== 'HEAD') ctx.body = assetStream(name, isPacked)
  if (!isPacked) ctx.length = asset.bytes
}
