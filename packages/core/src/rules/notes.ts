import type { TypeOf } from 'io-ts'
import { FAILED } from '../codec/codec.js'
import { isBlank } from '../codec/scalars.js'
import type { note } from '../payloads/account.js'
import { each, notInFuture } from './building-blocks.js'
import { isRead, type ObjectRule, type Readable } from './rule.js'

type Note = Readable<TypeOf<typeof note>>

const bodyOrDocuments: ObjectRule<Note> = ({ body, document_paths }, at, findings) => {
  if (body === FAILED || document_paths === FAILED) return
  const hasBody = body !== undefined && !isBlank(body)
  if (!hasBody && (document_paths === undefined || document_paths.length === 0))
    findings.add('note_body_or_document_path_not_found', at)
}

const unpinning: ObjectRule<Note> = ({ created_at, is_pinned, unpin_at }, at, findings) => {
  if (!isRead(unpin_at)) return
  if (isRead(created_at) && unpin_at < created_at)
    findings.add('note_unpin_at_earlier_than_creation_date', at, 'unpin_at')
  if (is_pinned === undefined || is_pinned === false)
    findings.add('unpin_at_without_is_pinned', at, 'unpin_at')
}

/** A note has a body or documents, was not created in the future, and is unpinned only if pinned, and later. */
export const noteRules = each<Note>(bodyOrDocuments, unpinning, notInFuture('created_at'))
