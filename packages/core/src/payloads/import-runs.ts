import type { TypeOf } from 'io-ts'
import { optional, refine, required, table, term } from '../codec/index.js'
import { importSupplierCode } from './identifiers.js'

const sha256 = refine(term(64), 'invalid', (text) => /^[0-9a-f]{64}$/.test(text), {
  form: '64 hexadecimal digits in lower case',
})

const source = table('run source', { name: required(term(255)), sha256: required(sha256) })(`
  name: Name of the file without folders, for people. Example: "accounts.ndjson"
  sha256: SHA-256 of the file's bytes, as hexadecimal digits. Example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
`)

/** The request to open an import run. */
export const importRunRequest = table('import run request', {
  import_supplier: required(importSupplierCode),
  label: optional(term(255)),
  source: optional(source),
})(`
  import_supplier: Code of the supplier whose accounts the run imports. Example: "LEVANTE"
  label: A text for people that tells this run from others. Example: "Rehearsal 3"
  source: The file that is sent. A run of the same supplier with an equal source that is not finished goes on.
`)

export type ImportRunRequest = TypeOf<typeof importRunRequest>
