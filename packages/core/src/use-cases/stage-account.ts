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
  /** The account is of another supplier than the run that its request names. */
  | ImportRunDoesNotExist

type StagePorts = Pick<Ports, 'importSuppliers' | 'accountImports' | 'clock' | 'documents' | 'settings'>

/** The refusal as staging answers it. */
const stagingRefusal = (
  refusal: ImportRefusal,
  externalAccountNumber: string,
  sameData: boolean | undefined,
): StagingRefused =>
  refusal._tag === 'in_progress'
    ? { _tag: 'AccountImportInProgress' }
    : settled(refusal, externalAccountNumber, sameData)

/** Refuses if the supplier is not ongoing, but a refusal because of the account itself comes first. */
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

/** An account that may be staged. Only the text of its payload is left: that which was sent, where it was accepted whole. */
type Accepted = Readonly<{
  key: AccountKey
  text: string
  by: Actor | undefined
  importRun: string | undefined
  warnings: CheckedAccount['warnings']
}>

/** The judgement of the account by a supplier as it was found. */
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
 * A submission as the supplier that was last read judges it: accepted, refused, or not judged where no supplier is known. `again`
 * gives the submission anew.
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

/** Where the text is at hand the payload is parsed from it again: parsed payloads that wait for a store take most of the memory. */
const againOf = (submission: Submission & InRun): JudgedStaging['again'] => {
  const { payload: _, text, ...rest } = submission
  return text === undefined
    ? () => submission
    : () => ({ ...rest, text, payload: JSON.parse(text) as unknown })
}

/** `sameData`: asked for once for all outcomes of a batch that found an account. */
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
 * Validates and stores, one account or many; staged data is replaced whole. An account is judged by the supplier as it was when it
 * was last read: if it is accepted, staging hangs on the supplier being so still, which saves a round trip; if not, or if the
 * supplier has changed, it is read. With await rather than as a pipe, because most of what the service does is this: a promise
 * for each step is a tenth of it.
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

  /** Stores what is accepted, by one call; undefined for what hangs on a supplier that has changed, and for what is not accepted. */
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

  /** Judges by the supplier as it is now. */
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

  /** The accounts are distinct; an answer for each, in their order. */
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

/** A list of one: an answer is there. */
export const stageAccount =
  ({ judge, settle }: ReturnType<typeof staging>) =>
  (submission: Submission & InRun): UseCaseResult<StagingRefused, Staged> =>
  async () =>
    (await settle([await judge(submission)]))[0] as Answer
