import type { AccountReferences, DocumentReferences, ReferencesRequest } from '@account-import/core'
import { sqlPortCall } from '../failures/sql-port-call.js'
import type { Session } from '../session/session.js'
import { createdPaths } from './created-paths.js'
import { referringImports, type ReferringImport } from './referring-imports.js'
import { stagedPaths } from './staged-paths.js'

const isCreated = (row: ReferringImport): boolean => row.platform_account_number !== null

/** One statement for the accounts, two for what created ones name and one for each few of those that are encrypted, one for each few MiB of payloads. */
const page = (session: Session, request: ReferencesRequest): Promise<readonly AccountReferences[]> =>
  session.run(async (db) => {
    const rows = await referringImports(db, session.dialect, request)
    const created = await createdPaths(db, session.dataKeys, request, rows.filter(isCreated))
    const staged = await stagedPaths(
      db,
      session.dataKeys,
      request,
      rows.filter((row) => !isCreated(row)),
    )
    return rows.map(({ external_account_number: number, platform_account_number }) => ({
      externalAccountNumber: number,
      platformAccountNumber: platform_account_number ?? undefined,
      paths: [
        ...((platform_account_number === null ? staged.get(number) : created.get(platform_account_number)) ??
          []),
      ],
    }))
  })

const call = sqlPortCall('documentReferences')

export const sqlDocumentReferences = (session: Session): DocumentReferences => ({
  page: (request) => call('page', () => page(session, request)),
})
