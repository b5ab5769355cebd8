import type { ErrorCode } from '../catalogue/index.js'
import { documentPathCode } from '../values/document-path.js'
import { Text } from './text.js'

class DocumentPath extends Text {
  override readonly _tag = 'DocumentPath'
  override readonly form = 'a path such as bills/2025-01.pdf'

  override codeOf(value: unknown): ErrorCode | undefined {
    return super.codeOf(value) ?? documentPathCode(value as string)
  }
}

/**
 * path: term(1024), relative to the supplier's document root and inside it. Codes: as term, then
 * `document_path_outside_root`, `invalid`.
 */
export const documentPath = new DocumentPath('path', 1024, false)
