import type { AccountImport, AccountImports, AccountKey, StageOutcome, Staging } from '@account-import/core'
import type { Knex } from 'knex'
import { sqlPortCall } from '../failures/sql-port-call.js'
import { accountImportOf, type AccountImportRow } from '../rows/account-imports.js'
import { importKeyRow } from '../rows/import-key.js'
import type { Session } from '../session/session.js'
import { tables } from '../rows/tables.js'
import { claim } from './claim.js'
import { complete } from './complete.js'
import { page } from './page.js'
import { release } from './release.js'
import { setSkipped } from './set-skipped.js'

type StagedData = Readonly<{ version: number; payload: string }>

const findImport = async (db: Knex, key: AccountKey): Promise<AccountImport | undefined> => {
  const row = (await db(tables.accountImports).where(importKeyRow(key)).first()) as
    | AccountImportRow
    | undefined
  return row === undefined ? undefined : accountImportOf(row)
}

const findStaged = async (db: Knex, key: AccountKey): Promise<StagedData | undefined> => {
  const query = db(tables.stagedAccounts).where(importKeyRow(key)).first('version', 'payload')
  return (await query) as StagedData | undefined
}

/** How stagings go to the database: directly inside a unit of work, together with others outside. */
export type Stage = (stagings: readonly Staging[]) => Promise<readonly StageOutcome[]>

const call = sqlPortCall('accountImports')

export const sqlAccountImports = (session: Session, stage: Stage): AccountImports => ({
  find: (key) => call('find', () => session.run((db) => findImport(db, key))),
  stage: (stagings) => call('stage', () => stage(stagings)),
  staged: (key) => call('staged', () => session.run((db) => findStaged(db, key))),
  claim: (requests, limit) => call('claim', () => claim(session, requests, limit)),
  complete: (completions) => call('complete', () => complete(session, completions)),
  release: (releases) => call('release', () => release(session, releases)),
  page: (request) => call('page', () => session.run((db) => page(db, session.dialect, request))),
  setSkipped: (key, skipped, at) =>
    call('setSkipped', () => session.run((db) => setSkipped(db, key, skipped, at))),
})
