import { detailOf, isErrorCode } from '../catalogue/index.js'
import { type AccountImport, isInProgress } from '../domain/account-import.js'
import { pipe, TE } from '../fp.js'
import type { Ports } from '../ports/index.js'
import type { Instant } from '../values/instant.js'
import { existingSupplier } from './named-supplier.js'
import type { TransferStatus, UseCases } from './signatures.js'

const statusOf = (found: AccountImport, now: Instant): TransferStatus['status'] => {
  if (found.created !== undefined) return 'COMPLETED'
  return isInProgress(found, now) ? 'IN_PROGRESS' : 'UNKNOWN'
}

const latestError = ({ latestFailure }: AccountImport): TransferStatus['latestError'] =>
  latestFailure && {
    code: latestFailure.code,
    detail: detailOf(isErrorCode(latestFailure.code) ? latestFailure.code : 'error'),
    occurredAt: latestFailure.occurredAt,
  }

/** The state of one account import (docs/reference/api.md#states). */
export const transferStatus =
  (ports: Pick<Ports, 'importSuppliers' | 'accountImports' | 'clock'>): UseCases['transferStatus'] =>
  (key) =>
    pipe(
      existingSupplier(ports)(key.organisation, key.importSupplier),
      TE.flatMap(() => ports.accountImports.find(key)),
      TE.flatMap((found) =>
        found === undefined ? TE.left({ _tag: 'AccountImportNotFound' as const }) : TE.right(found),
      ),
      TE.map((found) => ({
        status: statusOf(found, ports.clock.now()),
        platformAccountNumber: found.created?.platformAccountNumber,
        attempts: found.attempts,
        latestError: latestError(found),
      })),
    )
