import type { AccountDetails } from './account-details.js'

/** The document paths that a created account names, each once. */
export const detailsDocumentPaths = ({
  notes,
  statements,
}: Pick<AccountDetails, 'notes' | 'statements'>): readonly string[] => [
  ...new Set([
    ...notes.flatMap(({ document_paths }) => document_paths.map(({ document_path }) => document_path)),
    ...statements.flatMap(({ statement_path }) => statement_path ?? []),
  ]),
]
