import type { Staging } from '@account-import/core'
import { revisionText } from '../rows/import-suppliers.js'
import { tables } from '../rows/tables.js'
import type { Statements } from '../session/statements.js'
import { selectRows } from './select-rows.js'

/** The supplier of a staging, as long as it has the revision that the staging hangs on; at most one row. */
export const fromSupplier = `FROM ${tables.importSuppliers} WHERE code = ? AND organisation = ? AND ${revisionText} = ?`

/** The bindings of `fromSupplier`; undefined for a staging that hangs on no revision. */
export const supplierBindings = ({ key, supplierRevision }: Staging): readonly string[] | undefined =>
  supplierRevision === undefined ? undefined : [key.importSupplier, key.organisation, supplierRevision]

const existsText = `SELECT code ${fromSupplier}`

/**
 * Tells which of the stagings may be decided, by a statement for each revision that they hang on: those that wait together
 * hardly ever hang on several.
 */
export const whoseSupplierStays = async (
  db: Statements,
  stagings: readonly Staging[],
): Promise<(staging: Staging) => boolean> => {
  const nameOf = (staging: Staging): string => JSON.stringify(supplierBindings(staging))
  const asked = new Map(stagings.map((staging) => [nameOf(staging), supplierBindings(staging)]))
  const staying = new Set<string>()
  for (const [name, bindings] of asked)
    if (bindings === undefined || (await selectRows(db, existsText, bindings)).length > 0) staying.add(name)
  return (staging) => staying.has(nameOf(staging))
}
