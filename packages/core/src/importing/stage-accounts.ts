import type { InRun } from '../domain/import-run.js'
import { readField } from '../codec/struct.js'
import { E, type Either } from '../fp.js'
import type { StageOutcome, Staging } from '../ports/account-imports.js'
import { importSupplierCode } from '../payloads/identifiers.js'
import type { Ports } from '../ports/index.js'
import { noOutcome, type PortFailure } from '../ports/port-failure.js'
import type { FoundSupplier } from '../ports/registers.js'
import { rulesInForce } from '../checking/rules-in-force.js'
import {
  checkAccount,
  type CheckedAccount,
  dataToStage,
  type WithValidator,
  namedSupplier,
  type NamedSupplier,
  type Submission,
  type WithWarnings,
} from '../checking/check-payload.js'
import type {
  AccountAlreadyImported,
  AccountFailedValidation,
  AccountImportInProgress,
  AccountMarkedToSkip,
  ImportRunDoesNotExist,
  SupplierNotOngoing,
  UseCaseResult,
} from '../checking/errors.js'
import { notCurrent, refusedBy, refusedFirstBy, sameDataOf } from './import-refusals.js'
import { withOutcomes } from '../lists/lists.js'

export type Staged = Readonly<{
  outcome: 'created' | 'replaced'
  importSupplier: string
  externalAccountNumber: string
}> &
  WithWarnings

export type StagingRefused =
  | AccountFailedValidation
  | AccountAlreadyImported
  | AccountImportInProgress
  | AccountMarkedToSkip
  | SupplierNotOngoing
  /** The database can never store an account of this size. */
  | Readonly<{ _tag: 'PayloadTooLarge'; limitBytes: number }>
  /** The account and the run that its request names are of different suppliers. */
  | ImportRunDoesNotExist

export type StagePorts = Pick<
  Ports,
  'importSuppliers' | 'accountImports' | 'clock' | 'documents' | 'settings'
> &
  WithValidator

/** An account without errors, its supplier, and the change that the store is asked for. Contains no parsed payload. */
export type AcceptedStaging = Readonly<{ staging: Staging; supplier: FoundSupplier }> & WithWarnings

type Refused = StagingRefused | PortFailure

const inProgress: AccountImportInProgress = { _tag: 'AccountImportInProgress' }

const notOngoing: SupplierNotOngoing = { _tag: 'SupplierNotOngoing' }

/** The values that staging stores besides the data itself. */
const stagingOf = (
  { clock, settings }: StagePorts,
  { organisation, text, by, run }: Submission & InRun,
  { supplier }: NamedSupplier,
  checked: CheckedAccount,
): Staging => ({
  ...dataToStage(organisation, checked, text),
  at: clock.now(),
  by,
  importRun: run?.id,
  validatedUnder: supplier && rulesInForce(settings, supplier),
  ...(checked.warnings.length > 0 && { warnings: checked.warnings }),
})

/** Checks one account by the settings of a supplier. */
const acceptBy =
  (ports: StagePorts) =>
  async (submission: Submission & InRun, named: NamedSupplier): Promise<Either<Refused, AcceptedStaging>> => {
    const { run } = submission
    const checked = await checkAccount(ports)(submission, named)
    if (E.isLeft(checked)) return checked
    const staging = stagingOf(ports, submission, named, checked.right)
    if (run !== undefined && run.importSupplier !== staging.key.importSupplier)
      return E.left({ _tag: 'ImportRunDoesNotExist' })
    const { supplier } = named
    if (supplier?.status !== 'ongoing') return refusedFirstBy(ports, staging, inProgress, () => notOngoing)
    return E.right({ staging, supplier, warnings: checked.right.warnings })
  }

const supplierField = 'import_supplier'

/** Checks one account by the settings of its supplier: all errors in one answer. */
export const acceptStaging =
  (ports: StagePorts) =>
  async (submission: Submission & InRun): Promise<Either<Refused, AcceptedStaging>> => {
    const named = await namedSupplier(ports)(submission.organisation, submission.payload, supplierField)
    return E.isLeft(named) ? named : acceptBy(ports)(submission, named.right)
  }

/** The supplier as it was read a moment ago, if it is ongoing. */
const recentSupplier = async (
  { importSuppliers }: StagePorts,
  { organisation, payload }: Submission,
): Promise<FoundSupplier | undefined> => {
  const code = readField(importSupplierCode, payload, supplierField)
  if (importSuppliers.recent === undefined || code === undefined) return undefined
  const recent = await importSuppliers.recent(organisation, code)
  return E.isRight(recent) && recent.right?.status === 'ongoing' ? recent.right : undefined
}

/** As `acceptStaging`, by the supplier as it was read a moment ago: staging depends on its revision. A refusal is by the supplier of now. */
const acceptStagingByRecent =
  (ports: StagePorts) =>
  async (submission: Submission & InRun): Promise<Either<Refused, AcceptedStaging>> => {
    const supplier = await recentSupplier(ports, submission)
    if (supplier === undefined) return acceptStaging(ports)(submission)
    const accepted = await acceptBy(ports)(submission, { supplier, isMissing: false })
    const { revision: supplierRevision } = supplier
    if (E.isRight(accepted))
      return E.right({ ...accepted.right, staging: { ...accepted.right.staging, supplierRevision } })
    const named = await namedSupplier(ports)(submission.organisation, submission.payload, supplierField)
    if (E.isLeft(named)) return named
    const { revision, status } = named.right.supplier ?? {}
    const isCurrent = revision === supplierRevision && status === supplier.status
    return isCurrent ? accepted : acceptBy(ports)(submission, named.right)
  }

/** One switch, so that an outcome without an answer does not compile. */
const answerOf = (
  { staging: { key }, warnings }: AcceptedStaging,
  outcome: StageOutcome,
  sameData: boolean | undefined,
): Either<Refused, Staged> => {
  switch (outcome._tag) {
    case 'created':
    case 'replaced': {
      const { importSupplier, externalAccountNumber } = key
      return E.right({ outcome: outcome._tag, importSupplier, externalAccountNumber, warnings })
    }
    case 'failed':
      return E.left(outcome.failure)
    case 'not_current':
      return E.left(notCurrent)
    case 'too_large':
      return E.left({ _tag: 'PayloadTooLarge', limitBytes: outcome.limitBytes })
    case 'already_imported':
    case 'in_progress':
    case 'marked_to_skip':
      return refusedBy(outcome, key, sameData, inProgress)
  }
}

/** An accepted account, and what its staging answered. */
export type Stored = Readonly<{ accepted: AcceptedStaging; staged: Staged }>

/** Stores all accepted accounts, which must be distinct, by one call of the port. One answer for each, in their order. */
export const storeStagings =
  (ports: Pick<Ports, 'accountImports'>) =>
  async (accepted: readonly AcceptedStaging[]): Promise<readonly Either<Refused, Stored>[]> => {
    const outcomes = await ports.accountImports.stage(accepted.map(({ staging }) => staging))
    const stored = withOutcomes(accepted, outcomes)
    const existing = stored.filter(({ outcome }) => outcome._tag === 'already_imported')
    const sameDataIn = await sameDataOf(ports, existing, ({ item: { staging } }) => staging)
    return stored.map((each) => {
      const sameData = sameDataIn(each)
      if (E.isLeft(sameData)) return sameData
      return E.map((staged: Staged) => ({ accepted: each.item, staged }))(
        answerOf(each.item, each.outcome, sameData.right),
      )
    })
  }

export const stagedIn = ({ staged }: Stored): Staged => staged

/** Validates and stores one account; replaces staged data whole. */
export const stageAccount =
  (ports: StagePorts) =>
  async (account: Submission & InRun): UseCaseResult<StagingRefused, Staged> => {
    const stageBy = async (accept: typeof acceptStaging): Promise<Either<Refused, Staged>> => {
      const accepted = await accept(ports)(account)
      if (E.isLeft(accepted)) return accepted
      const [answer = E.left(noOutcome())] = await storeStagings(ports)([accepted.right])
      return E.map(stagedIn)(answer)
    }
    const staged = await stageBy(acceptStagingByRecent)
    return E.isLeft(staged) && staged.left === notCurrent ? stageBy(acceptStaging) : staged
  }
