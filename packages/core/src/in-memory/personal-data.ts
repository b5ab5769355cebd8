import { erasedDetails } from '../domain/account-details.js'
import { isInProgress } from '../domain/account-import.js'
import { type AccountKey, accountKeyText } from '../domain/account-key.js'
import { removedDetails } from '../domain/account.js'
import type { Actor } from '../domain/audit-entry.js'
import type {
  DuePayloads,
  Erasure,
  HeldAnswer,
  HeldData,
  PersonalData,
  Removed,
} from '../ports/personal-data.js'
import { portCall } from '../ports/port-failure.js'
import type { Instant } from '../values/instant.js'
import { noteIdentitiesOf } from './accounts.js'
import type { AnswerRow } from './idempotency-records.js'
import { findImport, recordChange } from './account-imports.js'
import { failuresOfAccount } from './import-runs.js'
import type { ImportRow, Memory, Tables } from './memory.js'

/** When the account was created, if its staged data is there still. */
const removableSince = ({ payload, created }: ImportRow): Instant | undefined =>
  payload === undefined ? undefined : created?.createdAt

const removePayloads = (
  tables: Tables,
  { organisation, importSupplier, createdBy, at, limit, by }: DuePayloads,
): number => {
  const { imports } = tables
  const due = [...imports.rows()]
    .flatMap((row) => {
      const isTheirs = row.key.organisation === organisation && row.key.importSupplier === importSupplier
      const since = isTheirs ? removableSince(row) : undefined
      return since !== undefined && since <= createdBy ? [{ row, since }] : []
    })
    .sort((a, b) => (a.since < b.since ? -1 : 1))
    .slice(0, limit)
  for (const { row } of due) {
    recordChange(tables, row, { at, what: 'staged_data_removed', by })
    imports.set(accountKeyText(row.key), { ...row, payload: undefined, payloadRemovedAt: at })
  }
  return due.length
}

const isAbout =
  (key: AccountKey) =>
  (row: AnswerRow): boolean =>
    row.key.organisation === key.organisation &&
    row.account?.importSupplier === key.importSupplier &&
    row.account.externalAccountNumber === key.externalAccountNumber

const heldAnswers = (answers: ReadonlyMap<string, AnswerRow>, key: AccountKey): readonly HeldAnswer[] =>
  [...answers.values()]
    .filter(isAbout(key))
    .flatMap(({ answer, expiresAt }) => (answer === undefined ? [] : [{ ...answer, expiresAt }]))
    .sort((a, b) => (a.expiresAt < b.expiresAt ? -1 : 1))

const neverStaged: Partial<ImportRow> = {}

const nothing: Removed = { payloads: 0, rows: 0, transactions: 0, emails: 0, answers: 0, runFailures: 0 }

const findIn = (
  memory: Memory,
  answers: ReadonlyMap<string, AnswerRow>,
  key: AccountKey,
): HeldData | undefined => {
  const { tables } = memory
  const name = accountKeyText(key)
  const row = tables.imports.get(name)
  const accountImport = findImport(tables, key)
  const held = heldAnswers(answers, key)
  const runFailures = failuresOfAccount(memory, key).map(({ failure }) => failure)
  if (row === undefined && held.length === 0 && runFailures.length === 0) return undefined
  const { firstStagedAt, stagedAt, payloadRemovedAt, erasedAt, payload, payloadHash } = row ?? neverStaged
  const account = tables.accounts.get(name)
  const email = tables.emails.get(name)
  const times = { firstStagedAt, stagedAt, payloadRemovedAt, erasedAt }
  return { key, accountImport, ...times, payload, payloadHash, account, email, answers: held, runFailures }
}

const erasedImport = (row: ImportRow, at: Instant): ImportRow => ({
  ...row,
  payload: undefined,
  erasedAt: at,
  ...(row.created === undefined
    ? { stagedVersion: 0, skipped: true, firstStagedAt: undefined, stagedAt: undefined }
    : { payloadRemovedAt: row.payloadRemovedAt ?? at }),
})

const eraseAccount = (tables: Tables, key: AccountKey): Readonly<{ rows: number; transactions: number }> => {
  const account = tables.accounts.get(accountKeyText(key))
  if (account === undefined) return { rows: 0, transactions: 0 }
  const { details } = account
  for (const identity of noteIdentitiesOf(account)) tables.noteIdentities.delete(identity)
  tables.accounts.set(accountKeyText(key), { ...account, details: erasedDetails(details) })
  return removedDetails(details)
}

/** Whether a relay holds the lease of the account's e-mail. */
export const isEmailBeingSent = (tables: Tables, key: AccountKey, at: Instant): boolean => {
  const state = tables.emails.get(accountKeyText(key))?.state
  return state?._tag === 'sending' && state.leaseEndsAt > at
}

export const eraseEmail = (tables: Tables, key: AccountKey): number => {
  const email = tables.emails.get(accountKeyText(key))
  if (email === undefined) return 0
  tables.emails.delete(accountKeyText(key))
  tables.emailIds.delete(email.id)
  return 1
}

export const eraseAnswers = (answers: Map<string, AnswerRow>, key: AccountKey): number => {
  const held = [...answers].filter(([, answer]) => isAbout(key)(answer))
  for (const [answer] of held) answers.delete(answer)
  return held.length
}

const eraseRunFailures = (memory: Memory, key: AccountKey): number => {
  const failures = failuresOfAccount(memory, key)
  for (const { remove } of failures) remove()
  return failures.length
}

/** Erases a pair that has no import: it can only have answers, and failures of runs. */
const eraseNeverStaged = (memory: Memory, answers: Map<string, AnswerRow>, key: AccountKey): Erasure => {
  const rest = { answers: eraseAnswers(answers, key), runFailures: eraseRunFailures(memory, key) }
  return rest.answers + rest.runFailures === 0
    ? { _tag: 'unknown' }
    : { _tag: 'erased', removed: { ...nothing, ...rest } }
}

const erase = (
  memory: Memory,
  tables: Tables,
  answers: Map<string, AnswerRow>,
  key: AccountKey,
  at: Instant,
  by: Actor | undefined,
): Erasure => {
  const name = accountKeyText(key)
  const row = tables.imports.get(name)
  const found = findImport(tables, key)
  if (row === undefined || found === undefined) return eraseNeverStaged(memory, answers, key)
  if (isInProgress(found, at)) return { _tag: 'in_progress' }
  if (isEmailBeingSent(tables, key, at)) return { _tag: 'email_being_sent' }
  recordChange(tables, row, { at, what: 'erased', by })
  tables.imports.set(name, erasedImport(row, at))
  tables.claims.delete(name)
  const rest = {
    emails: eraseEmail(tables, key),
    answers: eraseAnswers(answers, key),
    runFailures: eraseRunFailures(memory, key),
  }
  const removed = { ...eraseAccount(tables, key), ...rest }
  return { _tag: 'erased', removed: { payloads: row.payload === undefined ? 0 : 1, ...removed } }
}

const call = portCall('personalData')

export const inMemoryPersonalData = (memory: Memory, answers: Map<string, AnswerRow>): PersonalData => ({
  removePayloads: (due) =>
    call('removePayloads', () => memory.change((tables) => removePayloads(tables, due))),
  find: (key) => call('find', async () => findIn(memory, answers, key)),
  erase: (key, at, by) =>
    call('erase', () => memory.change((tables) => erase(memory, tables, answers, key, at, by))),
})
