import { setTimeout } from 'node:timers/promises'
import type {
  AccountKey,
  Actor,
  DuePayloads,
  Erasure,
  Instant,
  PersonalData,
  RunFailure,
} from '@account-import/core'
import { isInProgress } from '@account-import/core/adapter-kit'
import type { Knex } from 'knex'
import { sqlPort } from '../sql/failures.js'
import {
  filledUp,
  type ImportKeyRow,
  importKeyValues,
  instant,
  ofImport,
  ofSupplier,
  optionalInstant,
  placeholders,
  tables,
} from '../sql/rows.js'
import type { Db, PoolSession, Session } from '../sql/session.js'
import { eraseAccount, findAccount } from './accounts.js'
import {
  accountImportOf,
  importColumns,
  type PayloadColumns,
  payloadOf,
  type ReadImportRow,
  updateImports,
} from './import-rows.js'
import { failuresIn, type FailureRow } from './run-failures.js'
import { type Hooks, type HookTransaction, refusedBy } from './hooks.js'
import { answersOf } from './idempotency-records.js'
import { emailOf } from './outbox.js'

/** Most payloads that one statement removes, because it holds locks meanwhile. */
const atOnce = 64

/** Names a value for every other column of the index, so that the index returns due rows in the order of its last column. */
const findText = ({ dialect }: Db, limit: number): string =>
  `SELECT external_account_number FROM ${dialect.foundBy(tables.accountImports, 'account_imports_summary')} ` +
  "WHERE organisation = ? AND import_supplier = ? AND state = 'created' AND latest_failure_code IS NULL " +
  'AND claim_expires_at IS NULL AND payload_removed_at IS NULL AND account_created_at <= ? ' +
  `ORDER BY account_created_at LIMIT ${Math.trunc(limit)}`

const isDue = (count: number): string =>
  `organisation = ? AND import_supplier = ? AND external_account_number IN (${placeholders(count)}) ` +
  "AND state = 'created' AND payload_removed_at IS NULL"

/** Removes the payloads of these accounts that still have one, and returns how many. */
const removeOf = async (
  db: Db,
  { organisation, importSupplier, at, by }: DuePayloads,
  numbers: readonly string[],
): Promise<number> => {
  const list = filledUp(numbers)
  const bindings = [organisation, importSupplier, ...list]
  const due = await db.select<Pick<ImportKeyRow, 'external_account_number'>>(
    `SELECT external_account_number FROM ${db.dialect.inOrderOf(tables.accountImports, 'PRIMARY')} ` +
      `WHERE ${isDue(list.length)} ${db.dialect.forUpdate}`,
    bindings,
  )
  await updateImports(
    db,
    due.map(({ external_account_number: externalAccountNumber }) => {
      return { key: { organisation, importSupplier, externalAccountNumber } }
    }),
    {
      event: () => ({ at, what: 'staged_data_removed', by }),
      set: 'payload = NULL, data_key = NULL, warned = NULL, payload_removed_at = ?',
      values: [instant.write(at)],
    },
  )
  return due.length
}

const erasedCreated =
  'payload = NULL, data_key = NULL, warned = NULL, remains = ?, ' +
  'payload_removed_at = COALESCE(payload_removed_at, ?), erased_at = ?'

const erasedStaged =
  'payload = NULL, data_key = NULL, erased_at = ?, staged_version = 0, validated_under = NULL, warned = NULL, ' +
  "first_staged_at = NULL, staged_at = NULL, staging_id = NULL, state = 'skipped', skipped = 1, claim_token = NULL, " +
  'claim_expires_at = NULL, holds_slot = 0'

type Locked = ReadImportRow & Readonly<{ has_payload: number }>

const lockText =
  `SELECT ${importColumns}, CASE WHEN payload IS NULL THEN 0 ELSE 1 END AS has_payload ` +
  `FROM ${tables.accountImports} WHERE ${ofImport}`

const dueText = `SELECT claim_token FROM ${tables.customerEmails} WHERE ${ofImport} AND due_at > ?`

/** Most runs in one statement. */
const mostRuns = 256

/** Runs the work for groups of a supplier's runs, in the order of their ids. */
const eachRuns = async <A>(
  db: Db,
  { organisation, importSupplier }: AccountKey,
  work: (runs: readonly string[]) => Promise<A>,
): Promise<readonly A[]> => {
  const text = `SELECT id FROM ${tables.importRuns} WHERE ${ofSupplier} ORDER BY id`
  const rows = await db.select<{ id: string }>(text, [organisation, importSupplier])
  const done: A[] = []
  for (let from = 0; from < rows.length; from += mostRuns)
    done.push(await work(filledUp(rows.slice(from, from + mostRuns).map(({ id }) => id))))
  return done
}

const ofAccount = (runs: number): string =>
  `WHERE import_run IN (${placeholders(runs)}) AND external_account_number = ?`

/** The failures of an account in all runs: by run, and then in the order of their places. */
const failuresOfAccount = async (db: Db, key: AccountKey): Promise<readonly RunFailure[]> =>
  (
    await eachRuns(db, key, async (runs) =>
      failuresIn(
        await db.select<FailureRow>(
          `SELECT * FROM ${tables.importRunFailures} ${ofAccount(runs.length)} ORDER BY import_run, step, line, ordinal`,
          [...runs, key.externalAccountNumber],
        ),
      ),
    )
  ).flat()

/** Removes the failures of the account, and returns how many there were. */
const eraseRunFailures = async (db: Db, key: AccountKey): Promise<number> => {
  await db.change(`DELETE FROM ${tables.openFailures} WHERE ${ofImport}`, importKeyValues(key))
  const { length } = await failuresOfAccount(db, key)
  if (length > 0)
    await eachRuns(db, key, (runs) =>
      db.change(`DELETE FROM ${tables.importRunFailures} ${ofAccount(runs.length)}`, [
        ...runs,
        key.externalAccountNumber,
      ]),
    )
  return length
}

const eraseAnswers = (db: Db, key: AccountKey): Promise<number> =>
  db.change(`DELETE FROM ${tables.idempotencyRecords} WHERE ${ofImport}`, importKeyValues(key))

/** Erases an account without an import, which can only have stored responses, and failures of runs. */
const eraseNeverStaged = async (db: Db, key: AccountKey): Promise<Erasure> => {
  const answers = await eraseAnswers(db, key)
  const runFailures = await eraseRunFailures(db, key)
  return answers + runFailures === 0
    ? { _tag: 'unknown' }
    : { _tag: 'erased', removed: { payloads: 0, rows: 0, transactions: 0, emails: 0, answers, runFailures } }
}

const eraseLocked = async (
  db: Db,
  key: AccountKey,
  row: Locked,
  at: Instant,
  by: Actor | undefined,
): Promise<Erasure> => {
  const now = instant.write(at)
  const name = importKeyValues(key)
  const account = await eraseAccount(db, key)
  await updateImports(db, [{ key }], {
    event: () => ({ at, what: 'erased', by }),
    ...(row.platform_account_number === null
      ? { set: erasedStaged, values: [now] }
      : { set: erasedCreated, values: [account?.remains ?? null, now, now] }),
  })
  const emails = await db.change(`DELETE FROM ${tables.customerEmails} WHERE ${ofImport}`, name)
  const answers = await eraseAnswers(db, key)
  const runFailures = await eraseRunFailures(db, key)
  const { rows, transactions } = account?.removed ?? { rows: 0, transactions: 0 }
  return {
    _tag: 'erased',
    removed: { payloads: row.has_payload, rows, transactions, emails, answers, runFailures },
  }
}

type Asked = Readonly<{ key: AccountKey; at: Instant; by: Actor | undefined }>

/** One transaction makes the removal atomic. */
const erase = async (
  db: Db,
  { onAccountsErased }: Hooks,
  trx: Knex | undefined,
  { key, at, by }: Asked,
): Promise<Erasure> => {
  const name = importKeyValues(key)
  const { forUpdate } = db.dialect
  const [row] = await db.select<Locked>(`${lockText} ${forUpdate}`, name)
  if (row === undefined) return eraseNeverStaged(db, key)
  if (isInProgress(accountImportOf(row), at)) return { _tag: 'in_progress' }
  type EmailRow = Readonly<{ claim_token: string | null }>
  const [email] = await db.select<EmailRow>(`${dueText} ${forUpdate}`, [...name, instant.write(at)])
  if ((email?.claim_token ?? null) !== null) return { _tag: 'email_being_sent' }
  const platformAccountNumber = row.platform_account_number
  const known = platformAccountNumber === null ? [] : [{ key, platformAccountNumber }]
  const refused = await refusedBy(onAccountsErased, trx, known)
  if (refused.size > 0) return { _tag: 'refused_by_platform' }
  return eraseLocked(db, key, row, at, by)
}

/** A process that reads for longer than all tries (5 seconds) keeps the log. */
const mostTries = 50
const pauseMilliseconds = 100

/**
 * Empties the log beside the database file, where there is one, as soon as no process reads from it; false where a process keeps
 * it.
 */
const clearLog = async ({ dialect, query }: Session): Promise<boolean> => {
  const { clearLog: clear } = dialect
  if (clear === undefined) return true
  for (let tries = 0; tries < mostTries; tries += 1) {
    if (await query(clear)) return true
    await setTimeout(pauseMilliseconds)
  }
  return false
}

type HeldRow = ReadImportRow &
  Readonly<
    Record<
      'first_staged_at' | 'staged_at' | 'payload_removed_at' | 'erased_at' | 'payload_hash' | 'data_key',
      string | null
    >
  > &
  Readonly<{ payload: PayloadColumns['payload'] | null }>

const importText = `SELECT * FROM ${tables.accountImports} WHERE ${ofImport}`

export const sqlPersonalData = (
  session: PoolSession,
  inTransaction: HookTransaction,
  hooks: Hooks,
): PersonalData =>
  sqlPort<PersonalData>('personalData', {
    // Page by page: one statement finds due payloads by an index, and another removes them by their keys.
    removePayloads: async (due) => {
      const { organisation, importSupplier, createdBy } = due
      let removed = 0
      for (let left = due.limit; left > 0;) {
        const limit = Math.min(left, atOnce)
        const bindings = [organisation, importSupplier, instant.write(createdBy)]
        const found = await session.query((db) =>
          db.select<Pick<ImportKeyRow, 'external_account_number'>>(findText(db, limit), bindings),
        )
        if (found.length === 0) break
        // In the order of the keys, as all transactions lock them.
        const numbers = found.map((row) => row.external_account_number).sort()
        removed += await session.transaction((db) => removeOf(db, due, numbers))
        if (found.length < limit) break
        left -= found.length
      }
      return removed
    },
    find: session.inSnapshot(async (db, key) => {
      const { dataKeys } = db
      const [row] = await db.select<HeldRow>(importText, importKeyValues(key))
      const { payload = null, data_key = null } = row ?? {}
      const held = {
        accountImport: row && accountImportOf(row),
        firstStagedAt: optionalInstant.read(row?.first_staged_at),
        stagedAt: optionalInstant.read(row?.staged_at),
        payloadRemovedAt: optionalInstant.read(row?.payload_removed_at),
        erasedAt: optionalInstant.read(row?.erased_at),
        payload: payload === null ? undefined : await payloadOf(dataKeys, key, { payload, data_key }),
        payloadHash: row?.payload_hash ?? undefined,
        account: await findAccount(db, key),
        email: await emailOf(db, key),
        answers: await answersOf(db, key),
        runFailures: await failuresOfAccount(db, key),
      }
      const isNothing = row === undefined && held.answers.length === 0 && held.runFailures.length === 0
      return isNothing ? undefined : { key, ...held }
    }),
    erase: async (key, at, by) => {
      const erasure = await inTransaction(key.organisation, (db, trx) =>
        erase(db, hooks, trx, { key, at, by }),
      )
      if (erasure._tag !== 'erased' || (await clearLog(session))) return erasure
      return { ...erasure, logRemains: true }
    },
  })
