import { pipe, TE, type TaskEither } from '../../fp.js'
import { defaultDocumentRoot, inTheWayOf, reachingOthers } from '../../domain/document-roots.js'
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

/** One whose settings are changed in the same moment is left to the next call. */
const moveRoot =
  ({ importSuppliers }: RootPorts) =>
  ({ code, settings, ...supplier }: ImportSupplier) => {
    const documentRoot = defaultDocumentRoot({ ...supplier, code })
    return pipe(
      importSuppliers.saveSettings(code, settings, { ...settings, documentRoot }),
      TE.map((saved) =>
        saved === 'saved' ? [{ importSupplier: code, before: settings.documentRoot, documentRoot }] : [],
      ),
    )
  }

export const separateDocumentRoots =
  (ports: RootPorts): OperatorUseCases['separateDocumentRoots'] =>
  () =>
    pipe(
      ports.importSuppliers.list(),
      TE.flatMap((all) => TE.traverseSeqArray(moveRoot(ports))(reachingOthers(all))),
      TE.map((moved) => moved.flat()),
    )

export const listReachingOthers =
  ({ importSuppliers }: RootPorts): OperatorUseCases['listReachingOthers'] =>
  () =>
    pipe(importSuppliers.list(), TE.map(reachingOthers))
