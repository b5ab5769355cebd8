import type { ImportSupplier, MovedDocumentRoot, OperatorUseCases } from '@account-import/core'
import { databaseError } from '../database-error.js'
import { typed } from '../program-name.js'

const rootText = (root: string): string => (root === '' ? '(the bucket itself)' : root)

/** Moves roots that reach documents of other organisations, and says which; rejects with `StartError`. */
export const separateRoots = async ({
  separateDocumentRoots,
}: OperatorUseCases): Promise<readonly MovedDocumentRoot[]> => {
  const moved = await separateDocumentRoots()()
  if (moved._tag === 'Left') throw databaseError(moved.left.cause)
  return moved.right
}

export const movedText = ({ importSupplier, before, documentRoot }: MovedDocumentRoot): string =>
  `The document root of import supplier ${importSupplier} was ${rootText(before)}, where documents of other organisations lie.` +
  ` It is ${documentRoot} now: move its documents there.`

export const reachingText = ({ code, settings }: ImportSupplier): string =>
  `The document root of import supplier ${code} is ${rootText(settings.documentRoot)}, where documents of other organisations` +
  ` lie. Move its documents and run: ${typed('migrate')}, or supplier configure --document-root`
