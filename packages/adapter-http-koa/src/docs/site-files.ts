import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** The build writes this folder beside the compiled sources of this package; this module may be bundled elsewhere. */
const site = new URL('site/', import.meta.resolve('@account-import/adapter-http-koa'))

/** A file of the site. `packedBytes`: its size on disk, compressed. */
export type SiteFile = Readonly<{ type: string; etag: string; bytes: number; packedBytes: number }>

const textIn = (name: string): Promise<string> => readFile(new URL(name, site), 'utf8')

/** A JSON file, read at the first call and cached. The next call retries a failed read. */
const jsonIn = <A>(name: string): (() => Promise<A>) => {
  let value: Promise<A> | undefined
  const read = async (): Promise<A> => JSON.parse(await textIn(name)) as A
  return () => {
    value ??= read()
    value.catch(() => (value = undefined))
    return value
  }
}

/** Every file of the site by its path from the first page; that of a page ends with a slash. */
export const siteFiles = jsonIn<Readonly<Record<string, SiteFile>>>('files.json')

/** The page in place of an unknown one. `root`: the relative link to the first page. */
export const notFoundPage = async (root: string): Promise<string> =>
  (await textIn('not-found.html')).replaceAll('docs:', root)

/** The page at the address of the service, without the parts of this service. */
export const servicePageFrame = async (): Promise<string> =>
  (await textIn('service.html')).replaceAll('docs:', 'docs/')

/** Streams a file of the site, compressed or not, without a cache. */
export const fileStream = (path: string, isPacked: boolean): Readable => {
  const file = createReadStream(new URL(`${path.replace(/(^|\/)$/, '$1index.html')}.gz`, site))
  // The reader of the stream gets its error.
  return isPacked ? file : pipeline(file, createGunzip(), () => undefined)
}
