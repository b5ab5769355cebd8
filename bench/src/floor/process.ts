import { randomBytes } from 'node:crypto'
import type { AccountPayload } from '@account-import/core'
import type { ResultSetHeader, RowDataPacket } from 'mysql2'
import { names } from '../workload/names.js'
import { accountRows } from './account-rows.js'
import type { Execute, InTransaction } from './database.js'
import { insertRows } from './insert-rows.js'
import { sqlNow, type Reply } from './reply.js'

const selectStaged =
  'SELECT i.staged_version, i.platform_account_number, s.payload FROM account_imports i JOIN staged_accounts s ' +
  'USING (organisation, import_supplier, external_account_number) ' +
  'WHERE i.organisation = ? AND i.import_supplier = ? AND i.external_account_number = ? FOR UPDATE'

const markCreated =
  "UPDATE account_imports SET state = 'created', platform_account_number = ?, account_created_at = ?, " +
  'created_version = staged_version, attempts = attempts + 1 ' +
  'WHERE organisation = ? AND import_supplier = ? AND external_account_number = ?'

type Request = Readonly<{
  external_account_number: string
  import_supplier_code: string
  operations_team_name: string
}>

type StagedRow = RowDataPacket &
  Readonly<{ staged_version: number; platform_account_number: string | null; payload: string }>

const createAccount = async (execute: Execute, request: Request): Promise<string | undefined> => {
  const key = [names.organisation, request.import_supplier_code, request.external_account_number]
  const [staged] = await execute<StagedRow[]>(selectStaged, key)
  if (staged === undefined || staged.platform_account_number !== null) return undefined
  const now = sqlNow()
  const platformAccountNumber = `A-${randomBytes(6).toString('hex').toUpperCase()}`
  const tables = accountRows(JSON.parse(staged.payload) as AccountPayload, {
    organisation: names.organisation,
    platformAccountNumber,
    operationsTeam: request.operations_team_name,
    stagedVersion: staged.staged_version,
    now,
  })
  for (const table of tables) await insertRows(execute, table)
  await execute<ResultSetHeader>(markCreated, [platformAccountNumber, now, ...key])
  return platformAccountNumber
}

/** Writes the rows of the account from its staged data and marks the import created, in one durable transaction. */
export const processAccount = async (inTransaction: InTransaction, body: string): Promise<Reply> => {
  const request = JSON.parse(body) as Request
  const created = await inTransaction((execute) => createAccount(execute, request))
  return created === undefined
    ? { status: 400, body: { detail: 'Nothing is staged, or the account exists' } }
    : { status: 201, body: { platform_account_number: created } }
}
