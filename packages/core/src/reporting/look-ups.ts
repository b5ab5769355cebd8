import { detailOf, isErrorCode } from '../catalogue/index.js'
import {
  type AccountImport,
  type AccountKey,
  type ImportSummary,
  isInProgress,
} from '../domain/account-import.js'
import { E, pipe } from '../fp.js'
import type { AccountImportList, AccountImportListItem } from '../ports/account-imports.js'
import type { Ports } from '../ports/index.js'
import type { Instant } from '../values/instant.js'
import type { AccountImportNotFound, SupplierNotFound, UseCaseResult } from '../checking/errors.js'
import { foundIn, mapped, pageOf, pagesOf, type ListPage } from '../lists/pages.js'

type SupplierKey = Readonly<{ organisation: string; importSupplier: string }>

/** Does the work if the supplier exists. A supplier of another organisation is refused like one that does not exist. */
export const ofSupplier =
  ({ importSuppliers }: Pick<Ports, 'importSuppliers'>) =>
  async <Refused, A>(
    { organisation, importSupplier }: SupplierKey,
    work: () => UseCaseResult<Refused, A>,
  ): UseCaseResult<Refused | SupplierNotFound, A> => {
    const found = await importSuppliers.find(organisation, importSupplier)
    if (E.isLeft(found)) return found
    return found.right === undefined ? E.left({ _tag: 'SupplierNotFound' }) : work()
  }

/** `isSkipped`: marked by the operator; `importRun`, `createdInRun`: the runs that staged and created it. */
export type TransferStatus = Readonly<{
  status: 'UNKNOWN' | 'IN_PROGRESS' | 'COMPLETED'
  isSkipped?: true
  importRun?: string | undefined
  createdInRun?: string | undefined
  platformAccountNumber: string | undefined
  attempts: number
  latestError: Readonly<{ code: string; detail: string; occurredAt: Instant }> | undefined
}>

export type ListRequest = Readonly<{
  organisation: string
  importSupplier: string
  list: AccountImportList
}>

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
const transferStatus =
  (ports: Pick<Ports, 'importSuppliers' | 'accountImports' | 'clock'>) =>
  (key: AccountKey): UseCaseResult<SupplierNotFound | AccountImportNotFound, TransferStatus> =>
    ofSupplier(ports)(key, async () =>
      pipe(
        await ports.accountImports.find(key),
        E.flatMap(E.fromNullable<AccountImportNotFound>({ _tag: 'AccountImportNotFound' })),
        E.map((found) => ({
          status: statusOf(found, ports.clock.now()),
          platformAccountNumber: found.created?.platformAccountNumber,
          attempts: found.attempts,
          latestError: latestError(found),
          ...(found.skipped && { isSkipped: true }),
          ...(found.importRun !== undefined && { importRun: found.importRun }),
          ...(found.createdInRun !== undefined && { createdInRun: found.createdInRun }),
        })),
      ),
    )

const accountImportSummary =
  (ports: Pick<Ports, 'importSuppliers' | 'accountImports' | 'clock'>) =>
  ({ organisation, importSupplier }: SupplierKey): UseCaseResult<SupplierNotFound, ImportSummary> =>
    ofSupplier(ports)({ organisation, importSupplier }, () =>
      ports.accountImports.summary(organisation, importSupplier, ports.clock.now()),
    )

const numberOf = ({ externalAccountNumber }: Readonly<{ externalAccountNumber: string }>): string =>
  externalAccountNumber

type ListPorts = Pick<Ports, 'importSuppliers' | 'accountImports'>

const accountImportsPage =
  (ports: ListPorts) =>
  ({
    limit,
    ...request
  }: ListRequest & Readonly<{ after: string | undefined; limit: number }>): UseCaseResult<
    SupplierNotFound,
    ListPage<AccountImportListItem, string>
  > =>
    ofSupplier(ports)(request, async () =>
      pipe(
        await ports.accountImports.page({ ...request, limit: limit + 1 }),
        E.map((found) => pageOf(found, limit, numberOf)),
      ),
    )

const pageSize = 1000

/** The whole list. Reads the first page before it answers, so that a store that fails at once is a Left. */
const allAccountImports =
  (ports: ListPorts) =>
  ({
    organisation,
    importSupplier,
    list,
  }: ListRequest): UseCaseResult<SupplierNotFound, AsyncIterable<readonly AccountImportListItem[]>> => {
    const pageAfter = (last?: AccountImportListItem) =>
      ports.accountImports.page({
        organisation,
        importSupplier,
        list,
        after: last?.externalAccountNumber,
        limit: pageSize,
      })
    return ofSupplier(ports)({ organisation, importSupplier }, async () =>
      pipe(
        await pageAfter(),
        E.map((first) => mapped(pagesOf(pageAfter, pageSize, first), foundIn)),
      ),
    )
  }

/** Queries about account imports. */
export const accountImportUseCases = (ports: Ports) => ({
  transferStatus: transferStatus(ports),
  accountImportsPage: accountImportsPage(ports),
  accountImportSummary: accountImportSummary(ports),
  allAccountImports: allAccountImports(ports),
})
