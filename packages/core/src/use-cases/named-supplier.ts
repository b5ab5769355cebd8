import type { ImportSupplier } from '../domain/import-supplier.js'
import { pipe, type TaskEither, TE } from '../fp.js'
import { importSupplierCode } from '../payloads/identifiers.js'
import type { FoundSupplier, ImportSuppliers } from '../ports/import-suppliers.js'
import type { Ports } from '../ports/index.js'
import type { PortFailure, PortResult } from '../ports/port-failure.js'
import { readField } from '../validation/check.js'
import type { SupplierNotFound } from './errors.js'

/** The supplier that a query names. One of another organisation is refused like one that does not exist. */
export const existingSupplier =
  ({ importSuppliers }: Pick<Ports, 'importSuppliers'>) =>
  (organisation: string, code: string): TaskEither<SupplierNotFound | PortFailure, ImportSupplier> =>
    pipe(
      importSuppliers.find(organisation, code),
      TE.flatMap((supplier) =>
        supplier === undefined ? TE.left({ _tag: 'SupplierNotFound' as const }) : TE.right(supplier),
      ),
    )

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
