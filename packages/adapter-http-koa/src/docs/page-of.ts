import type { MadeDocument } from './kept-documents.js'
import { pageHeaders } from './page-headers.js'

/** The pages are loaded when somebody first asks for one: most processes never show any. */
export const pages = () => import('@account-import/http-contract/docs')

/** A page with its headers, undefined where there is none. */
export const pageOf = async (
  write: (from: Awaited<ReturnType<typeof pages>>) => string | undefined,
): Promise<MadeDocument | undefined> => {
  const from = await pages()
  const text = write(from)
  return text === undefined ? undefined : { text, headers: pageHeaders(from.pageStyle) }
}
