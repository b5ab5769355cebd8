import type { ImportSupplier } from '@account-import/core'
import { typed } from '@account-import/cli/kit'

/** A document root, for people. */
export const rootText = (root: string): string => (root === '' ? '(the bucket itself)' : root)

/** The warning about a supplier whose root contains documents of other organisations. */
export const reachingText = ({ code, settings }: ImportSupplier): string =>
  `The document root of import supplier ${code} is ${rootText(settings.documentRoot)}, where other organisations have` +
  ` documents. Move its documents and run: ${typed('supplier configure')} ${code} --document-root PATH`
