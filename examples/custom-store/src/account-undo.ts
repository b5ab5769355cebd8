import {
  portCall,
  type AccountKey,
  type AccountUndo,
  type ConfirmedUndo,
  type UndoOutcome,
  type UndoRequest,
} from '@account-import/core'
import { accountKeyText } from '@account-import/core/adapter-kit'
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
  if (account === undefined) return { _tag: 'kept', reason: 'not_created' }
  if (isErased(view.get('imports', name))) return { _tag: 'kept', reason: 'erased' }
  if (isEmailBeingSent(view, key, at)) return { _tag: 'kept', reason: 'email_being_sent' }
  const additions = view.get('additions', name) ?? 0
  if (additions > 0 && !withAdditions) return { _tag: 'kept', reason: 'has_additions' }
  return { _tag: 'undoable', platformAccountNumber: account.platformAccountNumber, additions }
}

const remove = (view: View, key: AccountKey, { at, by }: ConfirmedUndo): void => {
  const name = accountKeyText(key)
  const account = view.get('accounts', name)
  const row = view.get('imports', name)
  if (account === undefined || row === undefined) throw new Error('a created account has an import')
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
    payloadRemovedAt: _removed,
    erasedAt: _erased,
    ...rest
  } = row
  view.put('imports', name, { ...rest, stagedVersion: 0, attempts: 0, payload: '', created: undefined })
}

const undo = (view: View, request: ConfirmedUndo): readonly UndoOutcome[] =>
  keysOf(request).map((key, index) => {
    const found = outcomeOf(view, key, request)
    if (found._tag === 'kept') return found
    const previewed = request.previewed[index]
    const isAsPreviewed =
      found.platformAccountNumber === previewed?.platformAccountNumber &&
      found.additions === previewed.additions
    if (!isAsPreviewed) return { _tag: 'kept', reason: 'changed' }
    remove(view, key, request)
    return found
  })

const call = portCall('accountUndo')

export const accountUndo = ({ read, change }: Access): AccountUndo => ({
  canUndo: (request) =>
    call('canUndo', () => read((view) => keysOf(request).map((key) => outcomeOf(view, key, request)))),
  undo: (request) => call('undo', () => change((view) => undo(view, request))),
})
