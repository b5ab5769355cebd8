import type { ImportSupplier } from '../domain/import-supplier.js'
import { pipe, TE, type TaskEither } from '../fp.js'
import type { Ports } from '../ports/index.js'
import type { PortFailure } from '../ports/port-failure.js'
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
