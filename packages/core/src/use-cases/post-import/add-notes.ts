import { decideNotes, noteContent, type NoteOutcome } from '../../domain/account-from-payload.js'
import { pipe, TE } from '../../fp.js'
import { notesRequest, type NotesRequest } from '../../payloads/requests.js'
import type { Ports } from '../../ports/index.js'
import { noteRules } from '../../rules/notes.js'
import { below } from '../../rules/rule.js'
import { noteDocumentPaths } from '../../validation/document-paths.js'
import { toTheSecond } from '../../values/instant.js'
import type { Submission, WithWarnings } from '../check-payload.js'
import type { UseCaseResult } from '../errors.js'
import {
  type AdditionKind,
  type AdditionRefused,
  checkAddition,
  onCreatedAccount,
  recordAddition,
} from './addition.js'

const at = below(undefined, 'notes')

const kind: AdditionKind<NotesRequest> = {
  codec: notesRequest,
  rules: ({ notes }, findings) => noteRules(notes, at, findings),
  documentPaths: noteDocumentPaths,
}

/** Adds the notes of the request that the account does not have yet (`decideNotes`). */
export const addNotes =
  (ports: Pick<Ports, 'importSuppliers' | 'clock' | 'documents' | 'secrets' | 'settings' | 'unitOfWork'>) =>
  (
    submission: Submission,
  ): UseCaseResult<AdditionRefused, Readonly<{ notes: readonly NoteOutcome[] }> & WithWarnings> =>
    pipe(
      checkAddition(ports)(kind, submission),
      TE.flatMap((checked) => {
        const { notes } = checked.request
        const now = toTheSecond(ports.clock.now())
        return pipe(
          onCreatedAccount(ports)(checked, (account, stores) =>
            pipe(
              stores.accountNotes.withContents(account, [...new Set(notes.map(noteContent))]),
              TE.map((known) => decideNotes(notes, now, known)),
              TE.tap(({ added }) => stores.accountNotes.add(account, added)),
              TE.tap(({ added }) => recordAddition(ports, checked)(stores, account, 'notes_added', added)),
            ),
          ),
          TE.map(({ outcomes }) => ({ notes: outcomes, warnings: checked.warnings })),
        )
      }),
    )
