import { portCall, type AccountDetails, type DocumentReferences } from '@account-import/core'
import { accountKeyText, payloadDocumentPaths } from '@account-import/core/adapter-kit'
import { pageOf } from './pages.js'
import type { Access } from './turns.js'
import type { Rows, View } from './view.js'

const detailsPaths = ({ notes, statements }: AccountDetails): readonly string[] => [
  ...notes.flatMap((note) => note.document_paths.map(({ document_path: path }) => path)),
  ...statements.flatMap(({ statement_path: path }) => path ?? []),
]

const pathsOf = (view: View, { key, payload, created }: Rows['imports']): readonly string[] => {
  if (created === undefined) return payloadDocumentPaths(payload)
  const account = view.get('accounts', accountKeyText(key))
  return account === undefined ? [] : [...new Set(detailsPaths(account.details))]
}

export const documentReferences = ({ read }: Access): DocumentReferences => {
  const call = portCall('documentReferences')
  return {
    page: (request) =>
      call('page', () =>
        read((view) =>
          pageOf(
            view.rows('imports').filter(({ stagedVersion }) => stagedVersion > 0),
            request,
          ).map((row) => ({
            externalAccountNumber: row.key.externalAccountNumber,
            platformAccountNumber: row.created?.platformAccountNumber,
            paths: pathsOf(view, row),
          })),
        ),
      ),
  }
}
