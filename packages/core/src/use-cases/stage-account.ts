import { type AccountKey, type ImportRefusal, refusalOf } from '../domain/account-import.js'
import type { Actor } from '../domain/audit-entry.js'
import type { InRun } from '../domain/import-run.js'
import { E, type Either, pipe, TE } from '../fp.js'
import { importSupplierCode } from '../payloads/identifiers.js'
import type { ComparedData, StageOutcome, Staging } from '../ports/account-imports.js'
import type { Ports } from '../ports/index.js'
import { noOutcome, portFailure, type PortFailure } from '../ports/port-failure.js'
import { rememberedSuppliers } from '../provided/remembered.js'
import { readField } from '../validation/check.js'
import type { Instant } from '../values/instant.js'
import {
  checkAccount,
  type CheckedAccount,
  dataToStage,
  namedSupplier,
  type NamedSupplier,
  type Submission,
  type WithWarnings,
} from './check-payload.js'
import {
  type AccountAlreadyImported,
  type AccountFailedValidation,
  type AccountImportInProgress,
  type AccountMarkedToSkip,
  type ImportRunDoesNotExist,
  type SupplierNotOngoing,
  type UseCaseResult,
} from './errors.js'
import { sameDataOf, settled } from './import-refusals.js'

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

type StagePorts = Pick<Ports, 'importSuppliers' | 'accountImports' | 'clock' | 'documents' | 'settings'>

/** The answer of staging for a refusal. */
const stagingRefusal = (
  refusal: ImportRefusal,
  externalAccountNumber: string,
  sameData: boolean | undefined,
): StagingRefused =>
  refusal._tag === 'in_progress'
    ? { _tag: 'AccountImportInProgress' }
    : settled(refusal, externalAccountNumber, sameData)

/** Refuses if the supplier is not ongoing; a refusal because of the account itself precedes this one. */
const refuseUnlessOngoing =
  (ports: StagePorts) =>
  (data: ComparedData, supplier: NamedSupplier['supplier']): UseCaseResult<StagingRefused, void> => {
    if (supplier?.status === 'ongoing') return TE.right(undefined)
    return pipe(
      ports.accountImports.find(data.key),
      TE.flatMap((found): UseCaseResult<StagingRefused, never> => {
        const refusal = found && refusalOf(found, ports.clock.now())
        if (refusal === undefined) return TE.left({ _tag: 'SupplierNotOngoing' })
        return pipe(
          sameDataOf(ports, [data], [refusal]),
          TE.flatMap(([sameData]) =>
            TE.left(stagingRefusal(refusal, data.key.externalAccountNumber, sameData)),
          ),
        )
      }),
    )
  }

/** An account that may be staged. It contains only the text of its payload, not the parsed one. */
type Accepted = Readonly<{
  key: AccountKey
  text: string
  by: Actor | undefined
  importRun: string | undefined
  warnings: CheckedAccount['warnings']
}>

/** Checks the account by the given supplier. */
const validated =
  (ports: StagePorts) =>
  async (
    { organisation, payload, text, by, run }: Submission & InRun,
    named: NamedSupplier,
  ): Promise<Either<StagingRefused | PortFailure, Accepted>> => {
    const checked = await checkAccount(ports)(payload, named)
    if (E.isLeft(checked)) return checked
    const data = dataToStage(organisation, checked.right, text)
    if (run !== undefined && run.importSupplier !== data.key.importSupplier)
      return E.left({ _tag: 'ImportRunDoesNotExist' })
    const refused = await refuseUnlessOngoing(ports)(data, named.supplier)()
    if (E.isLeft(refused)) return refused
    const { warnings } = checked.right
    return E.right({ key: data.key, text: data.payload, by, importRun: run?.id, warnings })
  }

type Answer = Either<StagingRefused | PortFailure, Staged>

/**
 * The result of checking a submission by the cached supplier: accepted, refused, or undefined if no supplier is cached. `again`
 * returns the submission.
 */
type JudgedStaging = Readonly<{
  judged: Either<StagingRefused | PortFailure, Accepted> | undefined
  revision: string | undefined
  again(): Submission & InRun
}>

const isHanging = (
  judgement: JudgedStaging,
): judgement is JudgedStaging & Readonly<{ judged: E.Right<Accepted>; revision: string }> =>
  judgement.judged?._tag === 'Right'

/**
 * Parses the payload from the text again, if there is one: parsed payloads that wait for the store would take most of the memory.
 */
const againOf = (submission: Submission & InRun): JudgedStaging['again'] => {
  const { payload: _, text, ...rest } = submission
  return text === undefined
    ? () => submission
    : () => ({ ...rest, text, payload: JSON.parse(text) as unknown })
}

/** `sameData`: read once for all outcomes `already_imported` of a batch. */
const answerOf = (
  { key, warnings }: Accepted,
  outcome: Exclude<StageOutcome, { _tag: 'supplier_changed' }>,
  sameData: Either<PortFailure, boolean | undefined>,
): Answer => {
  switch (outcome._tag) {
    case 'created':
    case 'replaced': {
      const { importSupplier, externalAccountNumber } = key
      return E.right({ outcome: outcome._tag, importSupplier, externalAccountNumber, warnings })
    }
    case 'failed':
      return E.left(outcome.failure)
    case 'too_large':
      return E.left({ _tag: 'PayloadTooLarge', limitBytes: outcome.limitBytes })
    default:
      return E.isLeft(sameData)
        ? sameData
        : E.left(stagingRefusal(outcome, key.externalAccountNumber, sameData.right))
  }
}

const stagingOf = (
  { accepted: { key, text, by, importRun }, revision }: Readonly<{ accepted: Accepted; revision?: string }>,
  at: Instant,
): Staging => ({
  key,
  payload: text,
  at,
  by,
  importRun,
  ...(revision !== undefined && { supplierRevision: revision }),
})

const notHanging = (): PortFailure =>
  portFailure('unexpected', 'accountImports', 'stage', new Error('a staging hung on no revision'))

/**
 * Validates and stores one account or many; replaces staged data whole. An account is checked by the cached supplier. If it is
 * accepted, the statement that stages it checks the supplier's revision (optimistic check), which saves a round trip. If it is
 * refused, or the supplier has changed, the supplier is read. Uses await rather than a pipe, because most requests come here: a
 * promise for each step would cost a tenth of the time.
 */
export const staging = (ports: StagePorts) => {
  const { accountImports, clock } = ports
  const importSuppliers = rememberedSuppliers(ports.importSuppliers)
  const named = namedSupplier({ importSuppliers })
  const accepted = validated(ports)

  const judge = async (submission: Submission & InRun): Promise<JudgedStaging> => {
    const { organisation, payload } = submission
    const code = readField(importSupplierCode, payload, 'import_supplier')
    const known = code === undefined ? undefined : importSuppliers.known(organisation, code)
    const judged = known && (await accepted(submission, { supplier: known, isMissing: false }))
    const again = judged?._tag === 'Right' ? againOf(submission) : () => submission
    return { judged, revision: known?.revision, again }
  }

  /** Stores all accepted accounts by one call; undefined for those whose supplier has changed, and for those not accepted. */
  const store = async (
    all: readonly (Readonly<{ accepted: Accepted; revision?: string }> | undefined)[],
  ): Promise<readonly (Answer | undefined)[]> => {
    const at = clock.now()
    const stagings = all.flatMap((each) => (each === undefined ? [] : [stagingOf(each, at)]))
    const stored = stagings.length === 0 ? E.right([]) : await accountImports.stage(stagings)()
    if (E.isLeft(stored)) return all.map((each) => each && stored)
    const sameData = await sameDataOf(ports, stagings, stored.right)()
    const outcomes = stored.right.entries()
    return all.map((each) => {
      if (each === undefined) return undefined
      const next = outcomes.next()
      if (next.done === true) return E.left(noOutcome())
      const [index, outcome] = next.value
      if (outcome._tag === 'supplier_changed') return undefined
      return answerOf(each.accepted, outcome, E.isLeft(sameData) ? sameData : E.right(sameData.right[index]))
    })
  }

  /** Checks by the present supplier. */
  const judgeAnew = async ({
    judged,
    revision,
    again,
  }: JudgedStaging): Promise<Either<StagingRefused | PortFailure, Accepted>> => {
    const submission = again()
    const found = await named(submission.organisation, submission.payload, 'import_supplier')()
    if (E.isLeft(found)) return found
    const isAsBefore = judged?._tag === 'Left' && found.right.supplier?.revision === revision
    return isAsBefore ? judged : accepted(submission, found.right)
  }

  const stageAnew = async (all: readonly JudgedStaging[]): Promise<readonly Answer[]> => {
    const judged = await Promise.all(all.map(judgeAnew))
    const stored = await store(judged.map((each) => (E.isLeft(each) ? undefined : { accepted: each.right })))
    return judged.map((each, index) => (E.isLeft(each) ? each : (stored[index] ?? E.left(notHanging()))))
  }

  /** The accounts must be distinct. One answer for each, in their order. */
  const settle = async (all: readonly JudgedStaging[]): Promise<readonly Answer[]> => {
    const answers = await store(
      all.map((each) =>
        isHanging(each) ? { accepted: each.judged.right, revision: each.revision } : undefined,
      ),
    )
    const open = all.filter((_, index) => answers[index] === undefined)
    const rest = open.length === 0 ? [].values() : (await stageAnew(open)).values()
    return answers.map((answer) => answer ?? (rest.next().value as Answer))
  }

  return { judge, settle }
}

/** Stages a list of one account, which has one answer. */
export const stageAccount =
  ({ judge, settle }: ReturnType<typeof staging>) =>
  (submission: Submission & InRun): UseCaseResult<StagingRefused, Staged> =>
  async () =>
    (await settle([await judge(submission)]))[0] as Answer
