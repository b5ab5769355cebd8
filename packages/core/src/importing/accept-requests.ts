import type { AccountKey } from '../domain/account-import.js'
import type { Actor } from '../domain/audit-entry.js'
import type { InRun } from '../domain/import-run.js'
import type { ImportSupplier } from '../domain/import-supplier.js'
import { E, type Either } from '../fp.js'
import { operationsTeamName } from '../payloads/identifiers.js'
import { processRequest, type ProcessRequest } from '../payloads/requests.js'
import type { Ports } from '../ports/index.js'
import type { PortFailure, PortResult } from '../ports/port-failure.js'
import type { FoundSupplier } from '../ports/registers.js'
import { readField } from '../codec/struct.js'
import {
  checkedRequest,
  namedSupplier,
  type Submission,
  type WithWarnings,
} from '../checking/check-payload.js'
import type { ProcessingRefused } from '../checking/errors.js'
import { notCurrent, refusedFirstBy, retryAfterSeconds } from './import-refusals.js'
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
  { key, supplier: { status } }: AcceptedRequest,
): Promise<ProcessAnswer<never>> =>
  refusedFirstBy<ProcessingRefused, ProcessingRefused>(ports, { key }, processedElsewhere, (found) => {
    if (status !== 'ongoing') return { _tag: 'SupplierNotOngoing' }
    const isStaged = found !== undefined && found.stagedVersion > 0
    return isStaged ? { _tag: 'OperationsTeamDoesNotExist' } : { _tag: 'NothingStaged' }
  })

/** How suppliers and teams are read. */
type Registers = Readonly<{
  find: (organisation: string, code: string) => PortResult<FoundSupplier | undefined>
  exists: (team: string, organisation: string) => PortResult<boolean>
}>

/** Each supplier and team that requests name is read once. */
const readingOnce = ({ find, exists }: Registers): Registers => ({
  find: readOnce(find),
  exists: readOnce(exists),
})

/** A request without errors. `mayBegin`: its supplier is ongoing, and the organisation may use its team, so it is accepted. */
type CheckedRequest = Readonly<{ checked: AcceptedRequest; mayBegin: boolean }>

type AcceptPorts = Pick<
  Ports,
  'accounts' | 'accountImports' | 'clock' | 'importSuppliers' | 'operationsTeams' | 'settings'
>

/** Checks one request by the settings of its supplier: all errors in one answer. Supplier and team are read at one time. */
const checkRequest =
  (ports: Pick<Ports, 'clock' | 'settings'>, { find, exists }: Registers) =>
  async ({ organisation, payload, by, run }: Submission & InRun): Promise<ProcessAnswer<CheckedRequest>> => {
    const team = readField(operationsTeamName, payload, 'operations_team_name')
    const [named, teamExists] = await Promise.all([
      namedSupplier({ importSuppliers: { find } })(organisation, payload, 'import_supplier_code'),
      team === undefined ? E.right(false) : exists(team, organisation),
    ])
    if (E.isLeft(named)) return named
    const read = checkedRequest(ports, processRequest)(payload, named.right)
    if (E.isLeft(read)) return read
    const { request } = read.right
    // The supplier is defined: otherwise the request has an error.
    const supplier = named.right.supplier as FoundSupplier
    const key = {
      organisation,
      importSupplier: request.import_supplier_code,
      externalAccountNumber: request.external_account_number,
    }
    const checked = { key, request, supplier, by, importRun: run?.id }
    if (supplier.status !== 'ongoing') return E.right({ checked, mayBegin: false })
    return E.map((mayBegin: boolean) => ({ checked, mayBegin }))(teamExists)
  }

/** Accepts requests. One answer for each, in their order. */
export type Accept = (
  requests: readonly (Submission & InRun)[],
) => Promise<readonly ProcessAnswer<AcceptedRequest>[]>

/** Accepts requests by suppliers and teams as they are now. */
export const acceptRequests =
  (ports: AcceptPorts): Accept =>
  (requests) => {
    const { importSuppliers, operationsTeams } = ports
    const registers = readingOnce({
      find: (...supplier) => importSuppliers.find(...supplier),
      exists: (...team) => operationsTeams.exists(...team),
    })
    const check = checkRequest(ports, registers)
    return Promise.all(
      requests.map(async (request) => {
        const answer = await check(request)
        if (E.isLeft(answer)) return answer
        const { checked, mayBegin } = answer.right
        return mayBegin ? E.right(checked) : firstRefusal(ports, checked)
      }),
    )
  }

/**
 * Whether creation takes time, so that others must see the account in progress: a platform does something of its own at each
 * creation, or accounts in processing are limited. Otherwise creation is one statement.
 */
export const needsClaim = ({ accounts, settings }: Pick<Ports, 'accounts' | 'settings'>): boolean =>
  accounts.create !== undefined || settings.processingConcurrencyLimit !== undefined

/** Whether somebody reads the account when it is created: the platform, or the e-mail to its customers. */
export const needsDetails = (
  { accounts }: Pick<Ports, 'accounts'>,
  { settings }: Pick<ImportSupplier, 'settings'>,
): boolean => accounts.create !== undefined || settings.migrationEmails

/**
 * Accepts requests by suppliers and teams that were read a moment ago: the change that creates the account depends on them. Any other
 * request is `notCurrent`, and is to be accepted again by what is read now: one that is refused, a dry run, one for an account that
 * somebody reads or claims.
 */
export const acceptByRecent = (ports: AcceptPorts): Accept => {
  const { importSuppliers, operationsTeams } = ports
  if (importSuppliers.recent === undefined || operationsTeams.recent === undefined || needsClaim(ports))
    return async (requests) => requests.map(() => E.left(notCurrent))
  const find = importSuppliers.recent.bind(importSuppliers)
  const exists = operationsTeams.recent.bind(operationsTeams)
  return (requests) => {
    const check = checkRequest(ports, readingOnce({ find, exists }))
    return Promise.all(
      requests.map(async (request) => {
        const answer = await check(request)
        if (E.isLeft(answer) || !answer.right.mayBegin) return E.left(notCurrent)
        const { checked } = answer.right
        const { request: asked, supplier } = checked
        if (asked.dry_run === true || needsDetails(ports, supplier)) return E.left(notCurrent)
        return E.right({ ...checked, supplierRevision: supplier.revision })
      }),
    )
  }
}
