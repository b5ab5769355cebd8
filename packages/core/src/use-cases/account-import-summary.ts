import { pipe, TE } from '../fp.js'
import type { Ports } from '../ports/index.js'
import { existingSupplier } from './named-supplier.js'
import type { UseCases } from './signatures.js'

/** How many imports of a supplier are in which state, as they are now. */
export const accountImportSummary =
  (ports: Pick<Ports, 'importSuppliers' | 'accountImports' | 'clock'>): UseCases['accountImportSummary'] =>
  ({ organisation, importSupplier }) =>
    pipe(
      existingSupplier(ports)(organisation, importSupplier),
      TE.flatMap(() => ports.accountImports.summary(organisation, importSupplier, ports.clock.now())),
    )
