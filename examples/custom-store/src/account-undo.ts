import {
  portCall,
  type AccountKey,
  type AccountUndo,
  type ConfirmedUndo,
  type UndoOutcome,
  type UndoRequest,
} from '@account-import/core'
import {
  accountKeyText,
  asPreviewed,
  undoneAt,
  undoOutcome,
  unnamedActor,
} from '@account-import/core/adapter-kit'
import { record } from './account-imports.js'
import { forgetNotes } from './account-notes.js'
import { isErased } from './is-erased.js'
import { eraseAnswers, eraseEmail, isEmailBeingSent } from './personal-data.js'
import type { Access } from './turns.js'
import type { View } from './view.js'

const keysOf = ({ organisation, importSupplier, externalAccountNumbers }: UndoRequest) =>
  externalAccountNumbers.map((externalAccountNumber): AccountKey => ({
    organisation,
    importSupplier,
    externalAccountNumber,
  }))

const outcomeOf = (view: View, key: AccountKey, { withAdditions, at }: UndoRequest): UndoOutcome => {
  const name = accountKeyText(key)
  const account = view.get('accounts', name)
  const found = account && {
    platformAccountNumber: account.platformAccountNumber,
    additions: view.get('additions', name) ?? 0,
    isErased: isErased(view.get('imports', name)),
    isEmailBeingSent: isEmailBeingSent(view, key, at),
  }
  return undoOutcome(found, withAdditions)
}

const remove = (view: View, key: AccountKey, { at, by }: ConfirmedUndo): void => {
  const name = accountKeyText(key)
  const account = view.get('accounts', name)
  const row = view.get('imports', name)
  if (account === undefined || row === undefined) throw new Error('a created account has an import')
  const run = account.importRun === undefined ? undefined : view.get('runs', account.importRun)
  if (run !== undefined) view.put('runs', run.id, undoneAt(run, 1, at, (by ?? unnamedActor).who))
  record(view, row, { at, what: 'undone', by, subject: account.platformAccountNumber })
  forgetNotes(view, account)
  view.put('accounts', name, null)
  view.put('numbers', account.platformAccountNumber, null)
  view.put('additions', name, null)
  eraseEmail(view, key)
  eraseAnswers(view, key)
  const {
    firstStagedAt: _first,
    stagedAt: _last,
    importRun: _run,
    payloadRemovedAt: _removed,
    erasedAt: _erased,
    ...rest
  } = row
  view.put('imports', name, { ...rest, stagedVersion: 0, attempts: 0, payload: '', created: undefined })
}

const undo = (view: View, request: ConfirmedUndo): readonly UndoOutcome[] =>
  keysOf(request).map((key, index) => {
    const found = asPreviewed(outcomeOf(view, key, request), request.previewed[index])
    if (found._tag === 'undoable') remove(view, key, request)
    return found
  })

const call = portCall('accountUndo')

export const accountUndo = ({ read, change }: Access): AccountUndo => ({
  canUndo: (request) =>
    call('canUndo', () => read((view) => keysOf(request).map((key) => outcomeOf(view, key, request)))),
  undo: (request) => call('undo', () => change((view) => undo(view, request))),
})
