import { accountDocumentPaths } from './document-paths.js'

/**
 * The document paths that a staged payload names, each once. `payload` is its JSON text as it was staged; throws a
 * `SyntaxError` for any other text.
 */
export const payloadDocumentPaths = (payload: string): readonly string[] => [
  ...new Set(accountDocumentPaths(JSON.parse(payload)).map(({ path }) => path)),
]
