// Builds the documentation site of the service at /docs/: the pages of docs/, of endpoints and of codes, the search, and Swagger
// UI as it was published. The files are stored compressed in the package that serves them. The codes are also stored in the package
// of the command line, for the command `explain`.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { lookStyles } from '../packages/core/dist/values/look.js'
import { codePages } from './docs-site/codes.mjs'
import { pageFiles } from './docs-site/pages.mjs'
import { writeFolder } from './write-folder.mjs'

const site = 'packages/adapter-http-koa/dist/site'
const swagger = new URL('./', import.meta.resolve('swagger-ui-dist/package.json'))
const own = new URL('docs-site/browser/', import.meta.url)

const types = {
  css: 'text/css',
  html: 'text/html',
  js: 'text/javascript',
  json: 'application/json',
  svg: 'image/svg+xml',
}
const typeOf = (path) =>
  `${types[path.endsWith('/') || path === '' ? 'html' : path.split('.').at(-1)] ?? 'text/plain'}; charset=utf-8`

const { pages, search, notFound, service } = pageFiles()
const files = new Map([
  ...pages,
  ['search.json', search],
  ...['site.js', 'search.js'].map((name) => [name, readFileSync(new URL(name, own))]),
  ['site.css', lookStyles + readFileSync(new URL('site.css', own), 'utf8')],
  ['path-of-an-account.svg', readFileSync('docs/pictures/path-of-an-account.svg')],
  ['interactive/interactive.css', readFileSync(new URL('interactive.css', own))],
  ['interactive/start.js', readFileSync(new URL('start.js', own))],
  ...['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'LICENSE', 'NOTICE'].map(
    (name) => [`interactive/${name}`, readFileSync(new URL(name, swagger))],
  ),
])

const list = {}
const wanted = new Map([
  ['not-found.html', notFound],
  ['service.html', service],
])
for (const [path, content] of files) {
  const bytes = Buffer.from(content)
  const packed = gzipSync(bytes, { level: 9 })
  // A weak tag, as compressed and plain bytes share it.
  const etag = `W/"${createHash('sha256').update(bytes).digest('base64').slice(0, 27)}"`
  list[path] = { type: typeOf(path), etag, bytes: bytes.length, packedBytes: packed.length }
  wanted.set(`${path.replace(/(^|\/)$/, '$1index.html')}.gz`, packed)
}
wanted.set('files.json', JSON.stringify(list))

writeFolder(site, wanted)
writeFileSync('packages/cli/dist/codes.json', JSON.stringify(codePages))
