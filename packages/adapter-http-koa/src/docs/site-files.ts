import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { Guides } from './code-facts.js'
import type { Section } from './search.js'
import type { SitePage } from './site-pages.js'

/** Beside the compiled sources of this package, wherever this module was bundled to; the build puts it there. */
const site = new URL('site/', import.meta.resolve('@account-import/adapter-http-koa'))

/** A file of the interactive reference. `bytes`: its size before it was packed. */
type Asset = Readonly<{ type: string; etag: string; bytes: number }>

const textOf = (path: string): Promise<string> => readFile(new URL(path, site), 'utf8')

const listIn =
  <A>(path: string) =>
  async (): Promise<A> =>
    JSON.parse(await textOf(path)) as A

/** The pages that come with the package. */
export const sitePages = listIn<readonly SitePage[]>('pages.json')

/** The index of the search. */
export const siteSections = listIn<readonly Section[]>('sections.json')

/** The guides to the codes of the service and of the bundled markets. */
export const codeGuides: () => Promise<Guides> = listIn('guides.json')

/** The files of the interactive reference, by their names. */
export const siteAssets = listIn<Readonly<Record<string, Asset>>>('interactive.json')

/** The fragment of one of `sitePages`. */
export const fragmentOf = ({ path }: SitePage): Promise<string> => textOf(`${path.slice(0, -1)}.html`)

/** The packed bytes of one of `siteAssets`, or the bytes themselves: read while they are sent, so that nothing is kept. */
export const assetStream = (name: string, isPacked: boolean): Readable => {
  const file = createReadStream(new URL(`interactive/${name}.gz`, site))
  // The reader of the stream gets its error.
  return isPacked ? file : pipeline(file, createGunzip(), () => undefined)
}
