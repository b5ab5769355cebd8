import type { AccountKey, HeldAnswer, HeldData, PersonalData } from '@account-import/core'
import type { DataKeys } from '../encryption/data-keys.js'
import { sqlPortCall } from '../failures/sql-port-call.js'
import { accountImportOf, importColumns, type ReadImportRow } from '../rows/account-imports.js'
import { customerEmailOf, type CustomerEmailRow } from '../rows/customer-emails.js'
import { fromOptionalSqlInstant, fromSqlInstant } from '../rows/instants.js'
import { keptAnswerOf, type KeptAnswerRow } from '../rows/kept-answers.js'
import { payloadOf } from '../rows/kept-payload.js'
import { tables } from '../rows/tables.js'
import type { Session } from '../session/session.js'
import type { Statements } from '../session/statements.js'
import { importKeyValues, ofImport } from '../statements/of-import.js'
import { selectRows } from '../statements/select-rows.js'
import { clearLog } from './clear-log.js'
import { erase } from './erase.js'
import { findAccount } from './accounts.js'
import { removePayloads } from './remove-payloads.js'

type HeldRow = ReadImportRow &
  Readonly<{
    first_staged_at: string | null
    staged_at: string | null
    payload_removed_at: string | null
    erased_at: string | null
    payload: string | null
    payload_hash: string | null
    data_key: string | null
  }>

const columns = [
  ...importColumns,
  'first_staged_at',
  'staged_at',
  'payload_removed_at',
  'erased_at',
  'payload',
  'payload_hash',
  'data_key',
]

const heldAnswer = async (dataKeys: DataKeys, row: KeptAnswerRow): Promise<readonly HeldAnswer[]> => {
  const answer = await keptAnswerOf(dataKeys, row)
  return answer === undefined ? [] : [{ ...answer, expiresAt: fromSqlInstant(row.expires_at) }]
}

const heldPayload = async (
  dataKeys: DataKeys,
  key: AccountKey,
  { payload, data_key }: HeldRow,
): Promise<string | undefined> =>
  payload === null ? undefined : payloadOf(dataKeys, key, { payload, data_key })

type HeldImport = Omit<HeldData, 'key' | 'account' | 'email' | 'answers'>

const neverStaged: HeldImport = {
  accountImport: undefined,
  firstStagedAt: undefined,
  stagedAt: undefined,
  payloadRemovedAt: undefined,
  erasedAt: undefined,
  payload: undefined,
  payloadHash: undefined,
}

const heldImport = async (dataKeys: DataKeys, key: AccountKey, row: HeldRow): Promise<HeldImport> => ({
  accountImport: accountImportOf(row),
  firstStagedAt: fromOptionalSqlInstant(row.first_staged_at),
  stagedAt: fromOptionalSqlInstant(row.staged_at),
  payloadRemovedAt: fromOptionalSqlInstant(row.payload_removed_at),
  erasedAt: fromOptionalSqlInstant(row.erased_at),
  payload: await heldPayload(dataKeys, key, row),
  payloadHash: row.payload_hash ?? undefined,
})

const importText = `SELECT ${columns.join(', ')} FROM ${tables.accountImports} WHERE ${ofImport}`
const emailText = `SELECT * FROM ${tables.customerEmails} WHERE ${ofImport}`
const answersText = `SELECT * FROM ${tables.keptAnswers} WHERE ${ofImport} ORDER BY expires_at`

const find = async (db: Statements, dataKeys: DataKeys, key: AccountKey): Promise<HeldData | undefined> => {
  const name = importKeyValues(key)
  const [row] = await selectRows<HeldRow>(db, importText, name)
  const [email] = await selectRows<CustomerEmailRow>(db, emailText, name)
  const answers = await selectRows<KeptAnswerRow>(db, answersText, name)
  const held = {
    ...(row === undefined ? neverStaged : await heldImport(dataKeys, key, row)),
    account: await findAccount(db, dataKeys, key),
    email: email && customerEmailOf(email),
    answers: (await Promise.all(answers.map((answer) => heldAnswer(dataKeys, answer)))).flat(),
  }
  return row === undefined && held.answers.length === 0 ? undefined : { key, ...held }
}

const call = sqlPortCall('personalData')

export const sqlPersonalData = (session: Session): PersonalData => ({
  removePayloads: (due) => call('removePayloads', () => removePayloads(session, due)),
  find: (key) => call('find', () => session.query((db) => find(db, session.dataKeys, key))),
  erase: (key, at, by) =>
    call('erase', async () => {
      const erasure = await erase(session, key, at, by)
      if (erasure._tag !== 'erased' || (await clearLog(session))) return erasure
      return { ...erasure, logRemains: true }
    }),
})
