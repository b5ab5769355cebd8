import type { FieldError } from '@account-import/core'
import { ImportStopped } from './import-stopped.js'

const codes: ReadonlySet<string> = new Set([
  'import_supplier_migration_not_ongoing',
  'import_supplier_does_not_exist',
])

/**
 * The errors of a request that was refused because of its supplier alone: those of other suppliers may go on. Undefined
 * for anything else.
 */
export const supplierRefusal = (cause: unknown): readonly FieldError[] | undefined => {
  if (!(cause instanceof ImportStopped)) return undefined
  const { code, detail, errors } = cause.failure.problem
  const found = errors.length > 0 ? errors : [{ code, detail }]
  return found.every((error) => codes.has(error.code))
    ? found.map((error) => ({ code: error.code, detail: error.detail, attr: 'import_supplier' }))
    : undefined
}
