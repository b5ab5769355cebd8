import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const root = new URL('../../', import.meta.url)
const vendored = new URL('./', import.meta.resolve('swagger-ui-dist/package.json'))
const own = new URL('packages/adapter-http-koa/src/docs/browser/', root)
const compiled = new URL('packages/adapter-http-koa/dist/docs/browser/', root)

const css = 'text/css; charset=utf-8'
const script = 'text/javascript; charset=utf-8'
const text = 'text/plain; charset=utf-8'

/** The parts of the interactive reference: Swagger UI as it was published, and its start script. */
const assets = [
  ['swagger-ui.css', css, vendored],
  ['swagger-ui-bundle.js', script, vendored],
  ['swagger-ui-bundle.js.LICENSE.txt', text, vendored],
  ['LICENSE', text, vendored],
  ['NOTICE', text, vendored],
  ['interactive.css', css, own],
  ['start.js', script, compiled],
]

/** The files of the interactive reference, packed, and a list of them. */
export const interactiveFiles = () => {
  const files = new Map()
  const list = {}
  for (const [name, type, from] of assets) {
    const bytes = readFileSync(new URL(name, from))
    // Weak, as the packed bytes and the others share it.
    const etag = `W/"${createHash('sha256').update(bytes).digest('base64').slice(0, 27)}"`
    list[name] = { type, etag, bytes: bytes.length }
    files.set(`interactive/${name}.gz`, gzipSync(bytes, { level: 9 }))
  }
  return files.set('interactive.json', JSON.stringify(list))
}
