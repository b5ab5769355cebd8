import type { InRun } from '../../domain/import-run.js'
import { E, type Either } from '../../fp.js'
import type { Ports } from '../../ports/index.js'
import { type PortFailure } from '../../ports/port-failure.js'
import type { OperationsTeamDoesNotExist, ProcessingRefused, UseCaseResult } from '../errors.js'
import { mapByCondition, mapRights } from '../lists.js'
import type { Processed } from '../processing/accept-requests.js'
import { needsClaim } from '../processing/claim-accounts.js'
import { needsDetails } from '../processing/create-validated.js'
import type { ProcessAccounts } from '../processing/process-accounts.js'
import { processWithinLimit } from '../processing/process-within-limit.js'
import {
  type AcceptedStaging,
  acceptStaging,
  type Staged,
  type StagingRefused,
  storeStagings,
} from '../stage-accounts.js'
import { type BulkResults, type BulkSubmission, eachLine, type LineUnreadable } from './bulk-submissions.js'

/** `operationsTeam`: the team that the accounts are created under. After `signal` is aborted nothing waits for a place. */
export type BulkImporting = BulkSubmission &
  InRun &
  Readonly<{ operationsTeam: string; signal?: AbortSignal }>

/** The answer of the step that refuses: of staging, or of processing. */
export type ImportRefused = StagingRefused | ProcessingRefused

type Answer = Either<ImportRefused | PortFailure, Processed>

/** Creates accounts that are staged, each as a single request would. */
const processStaged =
  (
    ports: Ports,
    process: ProcessAccounts,
    { organisation, by, run, operationsTeam, signal }: BulkImporting,
  ) =>
  async (staged: readonly Staged[]): Promise<readonly Answer[]> => {
    const requests = staged.map(({ importSupplier, externalAccountNumber }) => ({
      organisation,
      by,
      run,
      payload: {
        import_supplier_code: importSupplier,
        external_account_number: externalAccountNumber,
        operations_team_name: operationsTeam,
      },
    }))
    const answers = await processWithinLimit(ports, process, requests, signal)
    return answers.map((answer, index) =>
      E.isLeft(answer) ? answer : E.right({ ...answer.right, warnings: (staged[index] as Staged).warnings }),
    )
  }

type Numbered = AcceptedStaging & Readonly<{ platformAccountNumber: string }>

/** Stages accounts and creates each in the same statement. */
const createAtOnce = async (
  ports: Ports,
  operationsTeam: string,
  accepted: readonly AcceptedStaging[],
): Promise<readonly Answer[]> => {
  const numbered = await Promise.all(
    accepted.map(async (each): Promise<Either<PortFailure, Numbered>> => {
      const number = await ports.platformAccountNumbers.next()
      if (E.isLeft(number)) return number
      const platformAccountNumber = number.right
      const creation = { platformAccountNumber, operationsTeam }
      return E.right({ ...each, staging: { ...each.staging, creation }, platformAccountNumber })
    }),
  )
  return mapRights(numbered, async (all) => {
    const stored = await storeStagings(ports)(all)
    return stored.map((answer, index): Answer => {
      const { platformAccountNumber, warnings } = all[index] as Numbered
      return E.isLeft(answer) ? answer : E.right({ platformAccountNumber, warnings })
    })
  })
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
    const { organisation, operationsTeam } = sent
    const mayUse = await ports.operationsTeams.exists(operationsTeam, organisation)
    if (E.isLeft(mayUse)) return mayUse
    if (!mayUse.right) return E.left({ _tag: 'OperationsTeamDoesNotExist' })
    const processAll = processStaged(ports, process, sent)
    const finish = (accepted: readonly AcceptedStaging[]): Promise<readonly Answer[]> =>
      mapByCondition(
        accepted,
        ({ supplier }) => needsClaim(ports) || needsDetails(ports, supplier),
        async (inSteps) => mapRights(await storeStagings(ports)(inSteps), processAll),
        (atOnce) => createAtOnce(ports, operationsTeam, atOnce),
      )
    return E.right(
      eachLine<AcceptedStaging, ImportRefused, Processed>(sent, {
        check: acceptStaging(ports),
        finish,
      }),
    )
  }
