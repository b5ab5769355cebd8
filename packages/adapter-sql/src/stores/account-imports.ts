import type {
  AccountImports,
  AccountKey,
  ClaimOutcome,
  ClaimRequest,
  StageOutcome,
  Staging,
} from '@account-import/core'
import { accountKeyText } from '@account-import/core/adapter-kit'
import { sqlPortCall } from '../failures/sql-port-call.js'
import type { Session } from '../session/session.js'
import { payloadOf, type PayloadColumns } from '../rows/kept-payload.js'
import { selectRows } from '../statements/select-rows.js'
import { tables } from '../rows/tables.js'
import { complete } from './complete.js'
import { findImports } from './find-imports.js'
import { joinedReads } from './joined-reads.js'
import { page } from './page.js'
import { release } from './release.js'
import { setSkipped } from './set-skipped.js'
import { stagedPage } from './staged-page.js'
import { summary } from './summary.js'

type StagedData = Readonly<{ version: number; payload: string }>

type StagedRow = PayloadColumns & Readonly<{ version: number }>

const stagedText =
  `SELECT staged_version AS version, payload, data_key FROM ${tables.accountImports} ` +
  'WHERE organisation = ? AND import_supplier = ? AND external_account_number = ? AND payload IS NOT NULL'

const findStaged = async ({ query, dataKeys }: Session, key: AccountKey): Promise<StagedData | undefined> => {
  const bindings = [key.organisation, key.importSupplier, key.externalAccountNumber]
  const [row] = await query((db) => selectRows<StagedRow>(db, stagedText, bindings))
  return row && { version: row.version, payload: await payloadOf(dataKeys, key, row) }
}

/** How stagings and claims go to the database: at once inside a unit of work, together with others outside. */
export type Joined = Readonly<{
  stage(stagings: readonly Staging[]): Promise<readonly StageOutcome[]>
  claim(requests: readonly ClaimRequest[], limit: number | undefined): Promise<readonly ClaimOutcome[]>
}>

const call = sqlPortCall('accountImports')

export const sqlAccountImports = (session: Session, { stage, claim }: Joined): AccountImports => {
  const find = joinedReads(session, accountKeyText, (keys) => findImports(session, keys))
  return {
    find: (key) => call('find', () => find(key)),
    stage: (stagings) => call('stage', () => stage(stagings)),
    staged: (key) => call('staged', () => findStaged(session, key)),
    claim: (requests, limit) => call('claim', () => claim(requests, limit)),
    complete: (completions) => call('complete', () => complete(session, completions)),
    release: (releases) => call('release', () => release(session, releases)),
    page: (request) => call('page', () => session.query((db) => page(db, session.dialect, request))),
    stagedPage: (request) =>
      call('stagedPage', () => session.query((db) => stagedPage(db, session.dialect, request))),
    summary: (...request) =>
      call('summary', () => session.query((db) => summary(db, session.dialect, ...request))),
    setSkipped: (key, skipped, at, by) =>
      call('setSkipped', () =>
        session.query((db) => setSkipped(db, session.dialect, { key, skipped, at, by })),
      ),
  }
}
