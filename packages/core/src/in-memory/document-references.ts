import type { AccountDetails } from '../domain/account-details.js'
import { accountKeyText } from '../domain/account-key.js'
import type { AccountReferences, DocumentReferences, ReferencesRequest } from '../ports/documents.js'
import { portCall } from '../ports/port-failure.js'
import { payloadDocumentPaths } from '../validation/document-paths.js'
import type { ImportRow, Memory } from './memory.js'

/** The document paths that a created account names, each once. */
const detailsDocumentPaths = ({
  notes,
  statements,
}: Pick<AccountDetails, 'notes' | 'statements'>): readonly string[] => [
  ...new Set([
    ...notes.flatMap(({ document_paths }) => document_paths.map(({ document_path }) => document_path)),
    ...statements.flatMap(({ statement_path }) => statement_path ?? []),
  ]),
]

const pathsOf = ({ tables }: Memory, { key, payload, created }: ImportRow): readonly string[] => {
  if (created === undefined) return payload === undefined ? [] : payloadDocumentPaths(payload)
  const account = tables.accounts.get(accountKeyText(key))
  return account === undefined ? [] : detailsDocumentPaths(account.details)
}

const pageOf = (memory: Memory, { after, limit, ...supplier }: ReferencesRequest) => {
  const items: AccountReferences[] = []
  for (const number of memory.numbers(supplier.organisation, supplier.importSupplier).after(after)) {
    const row = memory.tables.imports.get(accountKeyText({ ...supplier, externalAccountNumber: number }))
    if (row === undefined || (row.stagedVersion === 0 && row.created === undefined)) continue
    items.push({
      externalAccountNumber: number,
      platformAccountNumber: row.created?.platformAccountNumber,
      paths: pathsOf(memory, row),
    })
    if (items.length === limit) break
  }
  return items
}

const call = portCall('documentReferences')

export const inMemoryDocumentReferences = (memory: Memory): DocumentReferences => ({
  page: (request) => call('page', async () => pageOf(memory, request)),
})
