import type { InRun } from '../domain/import-run.js'
import { E, type Either, pipe } from '../fp.js'
import type { Ports } from '../ports/index.js'
import { noOutcome, type PortFailure, type PortResult } from '../ports/port-failure.js'
import type { WithWarnings } from '../checking/check-payload.js'
import type { OperationsTeamDoesNotExist, ProcessingRefused, UseCaseResult } from '../checking/errors.js'
import { mapRights, replaced } from '../lists/lists.js'
import { needsClaim, needsDetails, type Processed } from './accept-requests.js'
import type { ProcessAccounts, ToProcess } from './process-accounts.js'
import { processWithinLimit } from './bulk-process.js'
import {
  type AcceptedStaging,
  acceptStaging,
  type StagingRefused,
  type Stored,
  storeStagings,
} from './stage-accounts.js'
import { type BulkResults, type BulkSubmission, eachLine, type LineUnreadable } from './bulk-submissions.js'

/** `operationsTeam`: the team that the accounts are created under. After `signal` is aborted nothing waits for a place. */
export type BulkImporting = BulkSubmission &
  InRun &
  Readonly<{ operationsTeam: string; signal?: AbortSignal }>

/** The answer of the step that refuses: of staging, or of processing. */
export type ImportRefused = StagingRefused | ProcessingRefused

type Answer = Either<ImportRefused | PortFailure, Processed>

/** The number of an account that its staging creates too. */
const withNumber = async (
  { platformAccountNumbers }: Pick<Ports, 'platformAccountNumbers'>,
  operationsTeam: string,
  accepted: AcceptedStaging,
): PortResult<AcceptedStaging> =>
  pipe(
    await platformAccountNumbers.next(),
    E.map((platformAccountNumber) => ({
      ...accepted,
      staging: { ...accepted.staging, creation: { platformAccountNumber, operationsTeam } },
    })),
  )

/** A line that is staged: its account is to be processed as a single request would, or has its answer. */
type ToAnswer = StagedLine | Readonly<{ answer: Answer }>

/** `answer`: until it is processed. */
type StagedLine = ToProcess & WithWarnings & Readonly<{ answer: Answer }>

const isToProcess = (each: ToAnswer): each is StagedLine => 'request' in each

const toAnswer =
  ({ organisation, by, run, operationsTeam }: BulkImporting) =>
  ({ accepted, staged }: Stored): ToAnswer => {
    const { importSupplier, externalAccountNumber, warnings } = staged
    const { creation } = accepted.staging
    if (creation !== undefined)
      return { answer: E.right({ platformAccountNumber: creation.platformAccountNumber, warnings }) }
    const payload = {
      import_supplier_code: importSupplier,
      external_account_number: externalAccountNumber,
      operations_team_name: operationsTeam,
    }
    return { request: { organisation, by, run, payload }, warnings, answer: E.left(noOutcome()) }
  }

/**
 * Validates, stages and creates the accounts of lines: in one statement, or, where somebody needs a claim or the data, in two steps.
 * Data that was staged and could not be created stays staged.
 */
export const bulkImport =
  (ports: Ports, process: ProcessAccounts) =>
  async (
    sent: BulkImporting,
  ): UseCaseResult<OperationsTeamDoesNotExist, BulkResults<ImportRefused | LineUnreadable, Processed>> => {
    const { organisation, operationsTeam, signal } = sent
    const mayUse = await ports.operationsTeams.exists(operationsTeam, organisation)
    if (E.isLeft(mayUse)) return mayUse
    if (!mayUse.right) return E.left({ _tag: 'OperationsTeamDoesNotExist' })
    const store = storeStagings(ports)
    const plan = async (accepted: AcceptedStaging): PortResult<AcceptedStaging> =>
      needsClaim(ports) || needsDetails(ports, accepted.supplier)
        ? E.right(accepted)
        : withNumber(ports, operationsTeam, accepted)
    const processStaged = async (staged: readonly StagedLine[]): Promise<readonly ToAnswer[]> =>
      (await processWithinLimit(ports, process, staged, signal)).map(({ answer, warnings }) => ({
        answer: E.map((processed: Processed) => ({ ...processed, warnings }))(answer),
      }))
    const finish = async (stored: readonly Stored[]): Promise<readonly Answer[]> =>
      (await replaced(stored.map(toAnswer(sent)), isToProcess, processStaged)).map(({ answer }) => answer)
    return E.right(
      eachLine<AcceptedStaging, ImportRefused, Processed>(sent, {
        check: acceptStaging(ports),
        finish: async (accepted) =>
          mapRights(await mapRights(await Promise.all(accepted.map(plan)), store), finish),
      }),
    )
  }
