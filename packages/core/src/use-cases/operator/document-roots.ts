import { pipe, TE, type TaskEither } from '../../fp.js'
import { inTheWayOf, reachingOthers } from '../../domain/document-roots.js'
import type { ImportSupplier } from '../../domain/import-supplier.js'
import type { Ports } from '../../ports/index.js'
import type { PortFailure } from '../../ports/port-failure.js'
import type { OperatorRefusal } from '../errors.js'
import type { OperatorUseCases } from '../operator-signatures.js'

type RootPorts = Pick<Ports, 'importSuppliers'>

/** Refuses a supplier whose root would meet that of another organisation's. */
export const withRootOfItsOwn =
  ({ importSuppliers }: RootPorts) =>
  (supplier: ImportSupplier): TaskEither<OperatorRefusal | PortFailure, ImportSupplier> =>
    pipe(
      importSuppliers.list(),
      TE.flatMap((all): TaskEither<OperatorRefusal, ImportSupplier> => {
        const [other] = inTheWayOf(supplier, all)
        if (other === undefined) return TE.right(supplier)
        return TE.left({
          _tag: 'DocumentRootTaken',
          documentRoot: supplier.settings.documentRoot,
          importSupplier: other.code,
          otherRoot: other.settings.documentRoot,
        })
      }),
    )

export const listReachingOthers =
  ({ importSuppliers }: RootPorts): OperatorUseCases['listReachingOthers'] =>
  () =>
    pipe(importSuppliers.list(), TE.map(reachingOthers))
