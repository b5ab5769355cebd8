import { documentHeaders } from './page-headers.js'

type Headers = Readonly<Record<string, string>>

/** The text of a document, and what it is. */
export type MadeDocument = Readonly<{ text: string; headers: Headers }>

/** Makes the document for a path, undefined if there is none. `name`: the last part of the path, such as a code. */
export type DocumentAt = (path: string, name: string) => Promise<MadeDocument | undefined>

/** A document ready to be answered. */
type KeptDocument = Readonly<{ bytes: Buffer; headers: Headers }>

export type KeptDocumentAt = (path: string, name: string) => Promise<KeptDocument | undefined>

/** More than all pages of a service. A host that has many paths before ours must not fill the memory. */
const mostBytes = 16 * 1024 * 1024

/**
 * The same documents, each made and hashed when its path is first asked for, and kept: however many ask, all are answered with
 * the same bytes.
 */
export const keptDocuments = (make: DocumentAt): KeptDocumentAt => {
  const kept = new Map<string, Promise<KeptDocument | undefined>>()
  let bytesKept = 0
  const made = async (path: string, name: string): Promise<KeptDocument | undefined> => {
    const document = await make(path, name)
    // What is not there is not kept: nobody knows how many paths lead to nothing.
    if (document === undefined) return void kept.delete(path)
    const bytes = Buffer.from(document.text)
    bytesKept += bytes.length
    if (bytesKept > mostBytes) {
      kept.clear()
      bytesKept = 0
    }
    return { bytes, headers: { ...document.headers, ...documentHeaders(document.text) } }
  }
  return (path, name) => {
    const known = kept.get(path)
    if (known !== undefined) return known
    const making = made(path, name)
    kept.set(path, making)
    making.catch(() => kept.delete(path))
    return making
  }
}
