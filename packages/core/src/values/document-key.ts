import { documentPathCode } from './document-path.js'

/** The longest key that object stores take, in bytes of UTF-8. */
const mostBytes = 1024

/**
 * Where in the bucket a document is expected: the supplier's document root, a slash and the path exactly as sent; an
 * empty root is the bucket itself. Undefined where no document can be: root or path break the rules of document
 * paths (and might lead out of the root), or together take more than 1024 bytes.
 */
export const documentKey = (documentRoot: string, path: string): string | undefined => {
  if (documentRoot === '') return isDocumentKey(path) ? path : undefined
  const key = `${documentRoot}/${path}`
  return isDocumentKey(documentRoot) && isDocumentKey(path) && isDocumentKey(key) ? key : undefined
}

/** Whether a document can have this key: a well-formed document path of at most 1024 bytes. */
export const isDocumentKey = (key: string): boolean =>
  !loneSurrogate.test(key) &&
  (key.length * 3 <= mostBytes || encoder.encode(key).length <= mostBytes) &&
  documentPathCode(key) === undefined

const encoder = new TextEncoder()

const loneSurrogate = /\p{Surrogate}/u
