import { detailOf, isErrorCode } from '../catalogue/index.js'
import { type AccountImport, type ImportSummary, isInProgress } from '../domain/account-import.js'
import type { AccountKey } from '../domain/account-key.js'
import type { ImportSupplier } from '../domain/import-supplier.js'
import { pipe, type TaskEither, TE } from '../fp.js'
import type { AccountImportList, AccountImportListItem } from '../ports/account-imports.js'
import type { Ports } from '../ports/index.js'
import type { PortFailure } from '../ports/port-failure.js'
import type { Instant } from '../values/instant.js'
import type { AccountImportNotFound, SupplierNotFound, UseCaseResult } from './errors.js'
import { foundIn, mapped, pagesOf } from './pages.js'

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

export type TransferStatus = Readonly<{
  status: 'UNKNOWN' | 'IN_PROGRESS' | 'COMPLETED'
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

const accountImportSummary =
  (ports: Pick<Ports, 'importSuppliers' | 'accountImports' | 'clock'>) =>
  ({
    organisation,
    importSupplier,
  }: Omit<ListRequest, 'list'>): UseCaseResult<SupplierNotFound, ImportSummary> =>
    pipe(
      existingSupplier(ports)(organisation, importSupplier),
      TE.flatMap(() => ports.accountImports.summary(organisation, importSupplier, ports.clock.now())),
    )

type ListPorts = Pick<Ports, 'importSuppliers' | 'accountImports'>

/** One page. The store is asked for one item more, to know whether there is a next page. */
const accountImportsPage =
  (ports: ListPorts) =>
  ({
    limit,
    ...request
  }: ListRequest & Readonly<{ after: string | undefined; limit: number }>): UseCaseResult<
    SupplierNotFound,
    Readonly<{ items: readonly AccountImportListItem[]; next: string | undefined }>
  > =>
    pipe(
      existingSupplier(ports)(request.organisation, request.importSupplier),
      TE.flatMap(() => ports.accountImports.page({ ...request, limit: limit + 1 })),
      TE.map((found) => {
        const items = found.slice(0, limit)
        return { items, next: found.length > limit ? items.at(-1)?.externalAccountNumber : undefined }
      }),
    )

const pageSize = 1000

/** The whole list. The first page is read before this answers, so that a store that fails at once gives a Left. */
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
    return pipe(
      existingSupplier(ports)(organisation, importSupplier),
      TE.flatMap(() => pageAfter()),
      TE.map((first) => mapped(pagesOf(pageAfter, pageSize, first), foundIn)),
    )
  }

/** The questions that are asked about account imports. */
export const accountImportUseCases = (
  ports: Pick<Ports, 'importSuppliers' | 'accountImports' | 'clock'>,
) => ({
  transferStatus: transferStatus(ports),
  accountImportsPage: accountImportsPage(ports),
  accountImportSummary: accountImportSummary(ports),
  allAccountImports: allAccountImports(ports),
})
