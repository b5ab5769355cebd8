import {
  boolean,
  datetime,
  documentPath,
  list,
  maskedText,
  optional,
  required,
  struct,
} from '../codec/index.js'

const documentReference = struct('document reference', { document_path: required(documentPath) })

/** A remark of the supplier's staff about the account. */
export const note = struct('note', {
  body: optional(maskedText(65_536)),
  document_paths: optional(list(documentReference)),
  created_at: optional(datetime),
  is_pinned: optional(boolean),
  unpin_at: optional(datetime),
})
