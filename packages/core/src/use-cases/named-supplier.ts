import { pipe, TE } from '../fp.js'
import { importSupplierCode } from '../payloads/identifiers.js'
import type { FoundSupplier, ImportSuppliers } from '../ports/import-suppliers.js'
import type { PortResult } from '../ports/port-failure.js'
import { readField } from '../validation/check.js'

/**
 * The supplier that a payload names. `isMissing`: the code could be read, but the organisation has no such supplier. A
 * code that cannot be read is reported by its codec, not here.
 */
export type NamedSupplier = Readonly<{ supplier: FoundSupplier | undefined; isMissing: boolean }>

export const namedSupplier =
  ({ importSuppliers }: Readonly<{ importSuppliers: Pick<ImportSuppliers, 'find'> }>) =>
  (organisation: string, payload: unknown, field: string): PortResult<NamedSupplier> => {
    const code = readField(importSupplierCode, payload, field)
    if (code === undefined) return TE.right({ supplier: undefined, isMissing: false })
    return pipe(
      importSuppliers.find(organisation, code),
      TE.map((supplier) => ({ supplier, isMissing: supplier === undefined })),
    )
  }
