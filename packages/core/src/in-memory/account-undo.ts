import { type AccountKey, accountKeyText } from '../domain/account-key.js'
import { asPreviewed, undoOutcome, type UndoOutcome } from '../domain/account-undo.js'
import type { AccountUndo, ConfirmedUndo, UndoRequest } from '../ports/accounts.js'
import { portCall } from '../ports/port-failure.js'
import { noteIdentitiesOf } from './accounts.js'
import type { AnswerRow } from './idempotency-records.js'
import { isErased, recordChange } from './account-imports.js'
import type { Memory, Tables } from './memory.js'
import { eraseAnswers, eraseEmail, isEmailBeingSent } from './personal-data.js'

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

const remove = (
  tables: Tables,
  answers: Map<string, AnswerRow>,
  key: AccountKey,
  { at, by }: ConfirmedUndo,
): void => {
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
  eraseAnswers(answers, key)
  tables.imports.set(name, {
    ...row,
    stagedVersion: 0,
    payload: undefined,
    firstStagedAt: undefined,
    stagedAt: undefined,
    importRun: undefined,
    payloadRemovedAt: undefined,
    erasedAt: undefined,
    created: undefined,
    attempts: 0,
  })
}

const undo = (
  tables: Tables,
  answers: Map<string, AnswerRow>,
  request: ConfirmedUndo,
): readonly UndoOutcome[] =>
  keysOf(request).map((key, index) => {
    const found = asPreviewed(outcomeOf(tables, key, request), request.previewed[index])
    if (found._tag === 'undoable') remove(tables, answers, key, request)
    return found
  })

const call = portCall('accountUndo')

export const inMemoryAccountUndo = (
  { tables: committed, change }: Memory,
  answers: Map<string, AnswerRow>,
): AccountUndo => ({
  canUndo: (request) =>
    call('canUndo', async () => keysOf(request).map((key) => outcomeOf(committed, key, request))),
  undo: (request) => call('undo', () => change((tables) => undo(tables, answers, request))),
})
