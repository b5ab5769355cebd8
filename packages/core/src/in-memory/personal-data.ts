import type { AccountDetails } from '../domain/account-details.js'
import {
  type AccountKey,
  accountKeyText,
  asPreviewed,
  isInProgress,
  undoOutcome,
  type UndoOutcome,
} from '../domain/account-import.js'
import { undoneAt } from '../domain/import-run.js'
import { erasedDetails, removedDetails } from '../domain/account.js'
import { type Actor, unnamedActor } from '../domain/audit-entry.js'
import type { ConfirmedUndo, UndoRequest } from '../ports/accounts.js'
import type { AccountReferences, ReferencesRequest } from '../ports/documents.js'
import type { StorePorts } from '../ports/index.js'
import type { DuePayloads, Erasure, HeldAnswer, HeldData, Removed } from '../ports/personal-data.js'
import { portOf } from '../ports/port-failure.js'
import { payloadDocumentPaths } from '../validation/document-paths.js'
import type { Instant } from '../values/instant.js'
import { findImport, recordChange } from './account-imports.js'
import { noteIdentitiesOf } from './accounts.js'
import { endOpenFailure, failuresOfAccount } from './import-runs.js'
import { type AnswerRow, type ImportRow, isErased, type Memory, pageIn, type Tables } from './memory.js'

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

const references = (memory: Memory, request: ReferencesRequest): readonly AccountReferences[] =>
  pageIn(memory, request, ({ externalAccountNumber, row, account }) => {
    if (row === undefined || (row.stagedVersion === 0 && row.created === undefined)) return undefined
    const staged = row.payload === undefined ? [] : payloadDocumentPaths(row.payload)
    const created = account === undefined ? [] : detailsDocumentPaths(account.details)
    return {
      externalAccountNumber,
      platformAccountNumber: row.created?.platformAccountNumber,
      paths: row.created === undefined ? staged : created,
    }
  })

/** The time of creation of an account whose staged data is not removed yet. */
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
    imports.set(accountKeyText(row.key), {
      ...row,
      payload: undefined,
      warnings: undefined,
      payloadRemovedAt: at,
    })
  }
  return due.length
}

const isAbout =
  (key: AccountKey) =>
  (row: AnswerRow): boolean =>
    row.key.organisation === key.organisation &&
    row.account?.importSupplier === key.importSupplier &&
    row.account.externalAccountNumber === key.externalAccountNumber

const heldAnswers = ({ answers }: Memory, key: AccountKey): readonly HeldAnswer[] =>
  [...answers.values()]
    .filter(isAbout(key))
    .flatMap(({ answer, expiresAt }) => (answer === undefined ? [] : [{ ...answer, expiresAt }]))
    .sort((a, b) => (a.expiresAt < b.expiresAt ? -1 : 1))

const neverStaged: Partial<ImportRow> = {}

const nothing: Removed = { payloads: 0, rows: 0, transactions: 0, emails: 0, answers: 0, runFailures: 0 }

const findIn = (memory: Memory, key: AccountKey): HeldData | undefined => {
  const { tables } = memory
  const name = accountKeyText(key)
  const row = tables.imports.get(name)
  const accountImport = findImport(tables, key)
  const held = heldAnswers(memory, key)
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
  warnings: undefined,
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

/** Whether a relay has the lease of the account's e-mail. */
const isEmailBeingSent = (tables: Tables, key: AccountKey, at: Instant): boolean => {
  const state = tables.emails.get(accountKeyText(key))?.state
  return state?._tag === 'sending' && state.leaseEndsAt > at
}

const eraseEmail = (tables: Tables, key: AccountKey): number => {
  const email = tables.emails.get(accountKeyText(key))
  if (email === undefined) return 0
  tables.emails.delete(accountKeyText(key))
  tables.emailIds.delete(email.id)
  return 1
}

const eraseAnswers = ({ answers }: Memory, key: AccountKey): number => {
  const held = [...answers].filter(([, answer]) => isAbout(key)(answer))
  for (const [answer] of held) answers.delete(answer)
  return held.length
}

const eraseRunFailures = (memory: Memory, key: AccountKey): number => {
  const failures = failuresOfAccount(memory, key)
  for (const { remove } of failures) remove()
  endOpenFailure(memory, key)
  return failures.length
}

/** Erases an account without an import: it can only have answers, and failures of runs. */
const eraseNeverStaged = (memory: Memory, key: AccountKey): Erasure => {
  const rest = { answers: eraseAnswers(memory, key), runFailures: eraseRunFailures(memory, key) }
  return rest.answers + rest.runFailures === 0
    ? { _tag: 'unknown' }
    : { _tag: 'erased', removed: { ...nothing, ...rest } }
}

const erase = (
  memory: Memory,
  tables: Tables,
  key: AccountKey,
  at: Instant,
  by: Actor | undefined,
): Erasure => {
  const name = accountKeyText(key)
  const row = tables.imports.get(name)
  const found = findImport(tables, key)
  if (row === undefined || found === undefined) return eraseNeverStaged(memory, key)
  if (isInProgress(found, at)) return { _tag: 'in_progress' }
  if (isEmailBeingSent(tables, key, at)) return { _tag: 'email_being_sent' }
  recordChange(tables, row, { at, what: 'erased', by })
  tables.imports.set(name, erasedImport(row, at))
  tables.claims.delete(name)
  const rest = {
    emails: eraseEmail(tables, key),
    answers: eraseAnswers(memory, key),
    runFailures: eraseRunFailures(memory, key),
  }
  const removed = { ...eraseAccount(tables, key), ...rest }
  return { _tag: 'erased', removed: { payloads: row.payload === undefined ? 0 : 1, ...removed } }
}

const keysOf = ({ organisation, importSupplier, externalAccountNumbers }: UndoRequest) =>
  externalAccountNumbers.map((externalAccountNumber): AccountKey => ({
    organisation,
    importSupplier,
    externalAccountNumber,
  }))

const outcomeOf = (tables: Tables, key: AccountKey, { withAdditions, at }: UndoRequest): UndoOutcome => {
  const name = accountKeyText(key)
  const account = tables.accounts.get(name)
  const found = account && {
    platformAccountNumber: account.platformAccountNumber,
    additions: tables.additions.get(name) ?? 0,
    isErased: isErased(tables.imports.get(name)),
    isEmailBeingSent: isEmailBeingSent(tables, key, at),
  }
  return undoOutcome(found, withAdditions)
}

const remove = (memory: Memory, tables: Tables, key: AccountKey, { at, by }: ConfirmedUndo): void => {
  const name = accountKeyText(key)
  const account = tables.accounts.get(name)
  const row = tables.imports.get(name)
  if (account === undefined || row === undefined) throw new Error('a created account has an import')
  recordChange(tables, row, { at, what: 'undone', by, subject: account.platformAccountNumber })
  for (const identity of noteIdentitiesOf(account)) tables.noteIdentities.delete(identity)
  tables.accounts.delete(name)
  tables.accountNumbers.delete(account.platformAccountNumber)
  tables.additions.delete(name)
  eraseEmail(tables, key)
  eraseAnswers(memory, key)
  endOpenFailure(memory, key)
  tables.imports.set(name, {
    ...row,
    stagedVersion: 0,
    payload: undefined,
    warnings: undefined,
    firstStagedAt: undefined,
    stagedAt: undefined,
    importRun: undefined,
    payloadRemovedAt: undefined,
    erasedAt: undefined,
    created: undefined,
    validatedUnder: undefined,
    attempts: 0,
  })
}

const countUndone = (
  { runs }: Memory,
  id: string | undefined,
  { at, by = unnamedActor }: ConfirmedUndo,
): void => {
  const run = id === undefined ? undefined : runs.get(id)
  if (run !== undefined) runs.set(run.id, undoneAt(run, 1, at, by.who))
}

const undo = (memory: Memory, tables: Tables, request: ConfirmedUndo): readonly UndoOutcome[] =>
  keysOf(request).map((key, index) => {
    const found = asPreviewed(outcomeOf(tables, key, request), request.previewed[index])
    if (found._tag === 'undoable') {
      countUndone(memory, tables.accounts.get(accountKeyText(key))?.importRun, request)
      remove(memory, tables, key, request)
    }
    return found
  })

/** The ports over all data of an account: undo, the documents that it names, and personal data. */
export const inMemoryHeldData = (
  memory: Memory,
): Pick<StorePorts, 'accountUndo' | 'documentReferences' | 'personalData'> => ({
  accountUndo: portOf('accountUndo', {
    canUndo: async (request) => keysOf(request).map((key) => outcomeOf(memory.tables, key, request)),
    undo: (request) => memory.change((tables) => undo(memory, tables, request)),
  }),
  documentReferences: portOf('documentReferences', { page: async (request) => references(memory, request) }),
  personalData: portOf('personalData', {
    removePayloads: (due) => memory.change((tables) => removePayloads(tables, due)),
    find: async (key) => findIn(memory, key),
    erase: (key, at, by) => memory.change((tables) => erase(memory, tables, key, at, by)),
  }),
})
