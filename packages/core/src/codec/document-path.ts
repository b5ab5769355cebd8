import type { ErrorCode } from '../catalogue/index.js'
import { judgeDocumentPath } from '../values/document-path.js'
import { Text } from './text.js'

class DocumentPath extends Text {
  override readonly _tag = 'DocumentPath'

  override judge(value: unknown): ErrorCode | undefined {
    return super.judge(value) ?? judgeDocumentPath(value as string)
  }
}

/**
 * path: term(1024), relative to the supplier's document root and inside it. Codes: as term, then
 * `document_path_outside_root`, `invalid`.
 */
export const documentPath = new DocumentPath('path', 1024, false)
