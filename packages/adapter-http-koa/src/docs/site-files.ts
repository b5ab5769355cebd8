import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** Beside the compiled sources of this package, wherever this module was bundled to; the build writes it. */
const site = new URL('site/', import.meta.resolve('@account-import/adapter-http-koa'))

/** A file of the site: its sizes as it is and as it is kept, compressed. */
export type SiteFile = Readonly<{ type: string; etag: string; bytes: number; packedBytes: number }>

/** An example as text. `place`: where the fields of a payload stand; empty for requests and their answers. */
export type ExampleText = Readonly<{
  place: string
  bad: string
  good: string
  /** Options of `supplier configure` without which the code does not appear. */
  setting?: string
}>

/** The meaning of a field that a code is reported at, with an example of a value. */
export type PlaceMeaning = Readonly<{ at: string; text: string; example?: unknown }>

/**
 * A code in words: what the catalogue and the problem table know of it, and its page of the folder `errors` of the documentation.
 *
 * - `command`: changes the severity for a supplier; absent where it is the same for all
 * - `means`: when the code appears
 * - `causes`: how it comes about in a migration
 * - `fix`: steps, in order
 * - `at`: the values of `attr`, with N for an index, or words where these would be too many; empty for the code of a
 *   whole answer
 * - `meanings`: of those values of `at` that are one field
 */
export type CodePage = Readonly<{
  detail: string
  where: string
  remedy: string
  statuses: string
  severity: string
  command?: string
  means: string
  causes: readonly string[]
  fix: readonly string[]
  at: readonly string[]
  meanings: readonly PlaceMeaning[]
  example: ExampleText
  related: readonly string[]
}>

const textIn = (name: string): Promise<string> => readFile(new URL(name, site), 'utf8')

/** A file of JSON, read when it is first asked for. A failed read is tried again. */
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

/** The codes of the service and of the bundled markets. */
export const codePages = jsonIn<Readonly<Record<string, CodePage>>>('codes.json')

/** The page in place of an unknown one. `root`: the relative link to the first page. */
export const notFoundPage = async (root: string): Promise<string> =>
  (await textIn('not-found.html')).replaceAll('docs:', root)

/** A file of the site, compressed or not: read while it is sent, so that nothing is kept. */
export const fileStream = (path: string, isPacked: boolean): Readable => {
  const file = createReadStream(new URL(`${path.replace(/(^|\/)$/, '$1index.html')}.gz`, site))
  // The reader of the stream gets its error.
  return isPacked ? file : pipeline(file, createGunzip(), () => undefined)
}
