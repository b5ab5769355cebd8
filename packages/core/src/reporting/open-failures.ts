import { type OpenFailure, type OpenPlace, openPlaceOf, type RunStep } from '../domain/import-run.js'
import { E, pipe } from '../fp.js'
import { dismissalRequest } from '../payloads/requests.js'
import type { SupplierOfRuns } from '../ports/import-runs.js'
import type { Ports } from '../ports/index.js'
import { ofSupplier } from './look-ups.js'
import { checkNamedRequest, type Submission } from '../checking/check-payload.js'
import type { RequestFailedValidation, SupplierNotFound, UseCaseResult } from '../checking/errors.js'
import { type ListPage, pageOf } from '../lists/pages.js'

/** The refused accounts of all runs that still wait for a repair. */
export type OpenFailureUseCases = Readonly<{
  /**
   * The open failures of a supplier: a refused number stays until it is staged or created, or a person dismisses it, or the
   * retention days of the supplier end.
   */
  openFailures(
    request: SupplierOfRuns & Readonly<{ after: OpenPlace | undefined; limit: number }>,
  ): UseCaseResult<SupplierNotFound, ListPage<OpenFailure, OpenPlace>>
  /** The number of open failures by the step that refused the account. */
  openFailureCounts(
    supplier: SupplierOfRuns,
  ): UseCaseResult<SupplierNotFound, Readonly<Record<RunStep, number>>>
  /**
   * Dismisses open failures, with an audit event for each. The payload is a `DismissalRequest`. Right: how many were open until
   * now.
   */
  dismissFailures(
    submission: Submission,
  ): UseCaseResult<RequestFailedValidation, Readonly<{ dismissed: number }>>
}>

export const openFailureUseCases = (
  ports: Pick<Ports, 'clock' | 'importRuns' | 'importSuppliers' | 'settings'>,
): OpenFailureUseCases => {
  const { clock, importRuns } = ports
  return {
    openFailures: ({ limit, ...request }) =>
      ofSupplier(ports)(request, async () =>
        pipe(
          await importRuns.openFailures({ ...request, limit: limit + 1 }),
          E.map((failures) => pageOf(failures, limit, (failure) => openPlaceOf(failure.importRun, failure))),
        ),
      ),
    openFailureCounts: (supplier) =>
      ofSupplier(ports)(supplier, () => importRuns.openFailureCounts(supplier)),
    dismissFailures: async (submission) => {
      const checked = await checkNamedRequest(ports, dismissalRequest, 'import_supplier')(submission)
      if (E.isLeft(checked)) return checked
      const { failures, reason, import_supplier: importSupplier } = checked.right.request
      const places = failures.map(({ import_run: run = '', line, external_account_number: number }) =>
        openPlaceOf(run, { line, externalAccountNumber: number }),
      )
      const { organisation, by } = submission
      return pipe(
        await importRuns.dismissFailures({
          organisation,
          importSupplier,
          places,
          reason,
          at: clock.now(),
          by,
        }),
        E.map((dismissed) => ({ dismissed })),
      )
    },
  }
}
