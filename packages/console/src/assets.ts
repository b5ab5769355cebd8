import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type AppContext, pagePolicy } from '@account-import/adapter-http-koa/pages'
import { consoleStyles } from './styles.js'

/** The build writes this folder beside the compiled sources of this package; this module may be bundled elsewhere. */
const folder = new URL('../assets/', import.meta.resolve('@account-import/console'))

type Asset = Readonly<{ type: string; etag: string; content: Buffer }>

const assetOf = (type: string, content: Buffer): Asset => ({
  type: `${type}; charset=utf-8`,
  etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`,
  content,
})

const read = new Map<string, Asset>([['console.css', assetOf('text/css', Buffer.from(consoleStyles))]])

/** A name that the build gives to a module; it names nothing outside the folder. */
const moduleName = /^[a-z][a-z0-9-]*\.js$/

const find = async (name: string): Promise<Asset | undefined> => {
  const known = read.get(name)
  if (known !== undefined || !moduleName.test(name)) return known
  try {
    const asset = assetOf('text/javascript', await readFile(new URL(name, folder)))
    read.set(name, asset)
    return asset
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw cause
  }
}

/** Answers an asset, which browsers ask for again by its tag; false if there is none of this name. */
export const sendAsset = async (ctx: AppContext, name: string): Promise<boolean> => {
  const asset = await find(name)
  if (asset === undefined) return false
  ctx.status = 200
  ctx.set({
    'Content-Type': asset.type,
    'Cache-Control': 'no-cache',
    // A worker has the policy of its script, not that of its page.
    'Content-Security-Policy': pagePolicy,
    ETag: asset.etag,
  })
  if (ctx.fresh) ctx.status = 304
  else ctx.body = asset.content
  return true
}
