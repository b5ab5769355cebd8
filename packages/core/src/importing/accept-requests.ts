import type { AccountKey } from '../domain/account-import.js'
import type { Actor } from '../domain/audit-entry.js'
import type { InRun } from '../domain/import-run.js'
import { E, type Either } from '../fp.js'
import { operationsTeamName } from '../payloads/identifiers.js'
import { processRequest, type ProcessRequest } from '../payloads/requests.js'
import type { Ports } from '../ports/index.js'
import type { PortFailure } from '../ports/port-failure.js'
import type { FoundSupplier, ImportSuppliers, OperationsTeams } from '../ports/registers.js'
import { readField } from '../codec/struct.js'
import {
  checkedRequest,
  namedSupplier,
  type Submission,
  type WithWarnings,
} from '../checking/check-payload.js'
import type { ProcessingRefused } from '../checking/errors.js'
import { refusedFirstBy, retryAfterSeconds } from './import-refusals.js'
import { readOnce } from '../lists/lists.js'

export type Processed = Readonly<{ platformAccountNumber: string }> & WithWarnings

/** A request without errors: its supplier is ongoing, and the organisation may use its team. */
export type AcceptedRequest = Readonly<{
  key: AccountKey
  request: ProcessRequest
  supplier: FoundSupplier
  /** As in `Creation`. */
  supplierRevision?: string
  by: Actor | undefined
  importRun: string | undefined
}>

export type ProcessAnswer<A = Processed> = Either<ProcessingRefused | PortFailure, A>

/** The refusal of an import that another request processes; it may be tried again. */
export const processedElsewhere = { _tag: 'AccountProcessedElsewhere', retryAfterSeconds } as const

/**
 * The first reason not to process a request whose supplier is not ongoing, or whose team is missing, by the order in
 * docs/reference/api.md#answers.
 */
const firstRefusal = (
  ports: Pick<Ports, 'accountImports' | 'clock'>,
  key: AccountKey,
  { status }: FoundSupplier,
): Promise<ProcessAnswer<never>> =>
  refusedFirstBy<ProcessingRefused, ProcessingRefused>(ports, { key }, processedElsewhere, (found) => {
    if (status !== 'ongoing') return { _tag: 'SupplierNotOngoing' }
    const isStaged = found !== undefined && found.stagedVersion > 0
    return isStaged ? { _tag: 'OperationsTeamDoesNotExist' } : { _tag: 'NothingStaged' }
  })

type AcceptPorts = Pick<Ports, 'accountImports' | 'clock' | 'settings'> &
  Readonly<{
    importSuppliers: Pick<ImportSuppliers, 'find'>
    operationsTeams: Pick<OperationsTeams, 'exists'>
  }>

/** Reads one request by the settings of its supplier: all errors in one answer. Supplier and team are read at one time. */
const acceptRequest =
  (ports: AcceptPorts) =>
  async ({ organisation, payload, by, run }: Submission & InRun): Promise<ProcessAnswer<AcceptedRequest>> => {
    const team = readField(operationsTeamName, payload, 'operations_team_name')
    const [named, teamExists] = await Promise.all([
      namedSupplier(ports)(organisation, payload, 'import_supplier_code'),
      team === undefined ? E.right(false) : ports.operationsTeams.exists(team, organisation),
    ])
    if (E.isLeft(named)) return named
    const checked = checkedRequest(ports, processRequest)(payload, named.right)
    if (E.isLeft(checked)) return checked
    const { request } = checked.right
    // The supplier is defined: otherwise the request has an error.
    const supplier = named.right.supplier as FoundSupplier
    const key = {
      organisation,
      importSupplier: request.import_supplier_code,
      externalAccountNumber: request.external_account_number,
    }
    if (supplier.status !== 'ongoing') return firstRefusal(ports, key, supplier)
    if (E.isLeft(teamExists)) return teamExists
    if (!teamExists.right) return firstRefusal(ports, key, supplier)
    return E.right({ key, request, supplier, by, importRun: run?.id })
  }

/** Reads requests, and each supplier and team that they name once. One answer for each, in their order. */
export const acceptRequests =
  (ports: AcceptPorts) =>
  (requests: readonly (Submission & InRun)[]): Promise<readonly ProcessAnswer<AcceptedRequest>[]> => {
    const { importSuppliers, operationsTeams } = ports
    const readingOnce = {
      ...ports,
      importSuppliers: {
        find: readOnce((...supplier: [string, string]) => importSuppliers.find(...supplier)),
      },
      operationsTeams: { exists: readOnce((...team: [string, string]) => operationsTeams.exists(...team)) },
    }
    return Promise.all(requests.map(acceptRequest(readingOnce)))
  }
