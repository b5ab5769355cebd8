import { checkedRequest, type Submission } from '../checking/check-payload.js'
import { readField } from '../codec/struct.js'
import type { InRun } from '../domain/import-run.js'
import { E } from '../fp.js'
import { readOnce } from '../lists/lists.js'
import { importSupplierCode, operationsTeamName } from '../payloads/identifiers.js'
import { processRequest } from '../payloads/requests.js'
import type { Ports } from '../ports/index.js'
import type { ImportSuppliers, OperationsTeams } from '../ports/registers.js'
import type { AcceptedRequest, ProcessAnswer } from './accept-requests.js'
import { needsClaim } from './claim-accounts.js'
import { notCurrent } from './import-refusals.js'
import { needsDetails } from './rounds.js'

type RecentPorts = Pick<Ports, 'accounts' | 'clock' | 'settings'> &
  Readonly<{
    importSuppliers: Pick<ImportSuppliers, 'recent'>
    operationsTeams: Pick<OperationsTeams, 'recent'>
  }>

/**
 * Accepts requests by suppliers and teams that were read a moment ago, and reads nothing: the change that creates the account depends
 * on them. Any other request is `notCurrent`: of what is refused, of a dry run, of an account that somebody reads or claims.
 */
export const acceptByRecent = (
  ports: RecentPorts,
): ((requests: readonly (Submission & InRun)[]) => Promise<readonly ProcessAnswer<AcceptedRequest>[]>) => {
  const { importSuppliers, operationsTeams } = ports
  const noRecent = async (requests: readonly unknown[]) => requests.map(() => E.left(notCurrent))
  if (importSuppliers.recent === undefined || operationsTeams.recent === undefined || needsClaim(ports))
    return noRecent
  const { recent: recentSupplier } = importSuppliers
  const { recent: recentTeam } = operationsTeams
  return (requests) => {
    const findSupplier = readOnce((...names: [string, string]) => recentSupplier(...names))
    const mayUse = readOnce((...names: [string, string]) => recentTeam(...names))
    return Promise.all(
      requests.map(async ({ organisation, payload, by, run }): Promise<ProcessAnswer<AcceptedRequest>> => {
        const code = readField(importSupplierCode, payload, 'import_supplier_code') ?? ''
        const team = readField(operationsTeamName, payload, 'operations_team_name') ?? ''
        const found = await findSupplier(organisation, code)
        const usable = await mayUse(team, organisation)
        const supplier = E.isRight(found) ? found.right : undefined
        const isKnown = supplier?.status === 'ongoing' && E.isRight(usable) && usable.right
        if (!isKnown || needsDetails(ports, supplier)) return E.left(notCurrent)
        const checked = checkedRequest(ports, processRequest)(payload, { supplier, isMissing: false })
        if (E.isLeft(checked) || checked.right.request.dry_run === true) return E.left(notCurrent)
        const { request } = checked.right
        const key = {
          organisation,
          importSupplier: code,
          externalAccountNumber: request.external_account_number,
        }
        const supplierRevision = supplier.revision
        return E.right({ key, request, supplier, supplierRevision, by, importRun: run?.id })
      }),
    )
  }
}
