import type { FieldError } from '../../codec/findings.js'
import { pause } from '../../concurrency/pause.js'
import { accountFromPayload } from '../../domain/account-from-payload.js'
import type { Account } from '../../domain/account.js'
import type { ImportSupplier } from '../../domain/import-supplier.js'
import { E, type Either } from '../../fp.js'
import type { AccountImports, Creation, CreationOutcome } from '../../ports/account-imports.js'
import type { Ports } from '../../ports/index.js'
import { noOutcome, portFailure, type PortFailure } from '../../ports/port-failure.js'
import { validatedAccount } from '../check-payload.js'
import type { ProcessingRefused } from '../errors.js'
import { rulesInForce } from '../rules-in-force.js'
import type { AcceptedRequest, ProcessAnswer } from './accept-requests.js'

/** An account to create: its request, and the change that the store is asked for. */
export type PlannedCreation = Readonly<{ accepted: AcceptedRequest; creation: Creation }>

/** The outcome of the store. `account`: only if it was created now, and somebody reads it. */
export type StoreOutcome = Readonly<{
  outcome: CreationOutcome
  warnings: readonly FieldError[]
  account?: Account | undefined
}>

/** Why the account could not be created, or the outcome of the store. */
export type CreationResult = Either<ProcessingRefused | PortFailure, StoreOutcome>

type ReaderPorts = Pick<Ports, 'accounts'>

/** Whether somebody reads the account when it is created: the platform, or the e-mail to its customers. */
export const needsDetails = (
  { accounts }: ReaderPorts,
  { settings }: Pick<ImportSupplier, 'settings'>,
): boolean => accounts.create !== undefined || settings.migrationEmails

/** Staged data that was found valid now. */
type Valid = Readonly<{ creation: Creation; warnings: readonly FieldError[]; account: Account | undefined }>

type ValidityPorts = ReaderPorts & Pick<Ports, 'clock' | 'settings'>

/** Validates staged data by the present settings, and reads the account if somebody needs it. */
const validate = (
  ports: ValidityPorts,
  { accepted, creation }: PlannedCreation,
  { version, payload }: Readonly<{ version: number; payload: string }>,
): ProcessAnswer<Valid> => {
  let parsed: unknown
  try {
    parsed = JSON.parse(payload)
  } catch {
    return E.left(portFailure('unexpected', 'accountImports', 'create', new Error('staged data is no JSON')))
  }
  const checked = validatedAccount(ports)(parsed, accepted.supplier)
  if (E.isLeft(checked)) return checked
  const { key, platformAccountNumber, operationsTeam, at: createdAt, importRun } = creation
  const account = (): Account => ({
    key,
    platformAccountNumber,
    operationsTeam,
    stagedVersion: version,
    createdAt,
    ...(importRun !== undefined && { importRun }),
    details: accountFromPayload(checked.right.account, createdAt),
  })
  return E.right({
    creation: { ...creation, version, validatedUnder: rulesInForce(ports.settings, accepted.supplier) },
    warnings: checked.right.warnings,
    account: needsDetails(ports, accepted.supplier) ? account() : undefined,
  })
}

/** An outcome for each creation, in their order; the failure of the store for each if it failed. */
const create = async (
  accountImports: Pick<AccountImports, 'create'>,
  creations: readonly Creation[],
): Promise<readonly Either<PortFailure, CreationOutcome>[]> => {
  if (creations.length === 0) return []
  const outcomes = await accountImports.create(creations)
  if (E.isLeft(outcomes)) return creations.map(() => outcomes)
  return creations.map((_, index) => {
    const outcome = outcomes.right[index]
    return outcome === undefined ? E.left(noOutcome()) : E.right(outcome)
  })
}

type CreatingStore = Pick<AccountImports, 'create' | 'staged'>

/** Whether large accounts are created too; they come alone, so that memory is needed for one (`largeAccountBytes`). */
export type LargeAccounts = 'create' | 'skip'

/** Data that was not returned with others, as it is large. Other requests have their turn before it is worked on. */
const readLarge = async (accountImports: CreatingStore, { creation: { key } }: PlannedCreation) => {
  const staged = await accountImports.staged(key)
  await pause(0)
  return staged
}

/** Validates the data of an account that was not created at once; a Left is the end of its creation. */
const validated = async (
  ports: ValidityPorts,
  accountImports: CreatingStore,
  planned: PlannedCreation,
  known: Either<PortFailure, CreationOutcome>,
  large: LargeAccounts,
): Promise<Either<CreationResult, Valid>> => {
  if (E.isLeft(known)) return E.left(known)
  const outcome = known.right
  const end = E.left(E.right({ outcome, warnings: [] }))
  if (outcome._tag !== 'needs_validation') return end
  const { version, payload } = outcome
  if (payload === undefined && large === 'skip') return end
  const read =
    payload === undefined ? await readLarge(accountImports, planned) : E.right({ version, payload })
  if (E.isLeft(read)) return E.left(read)
  if (read.right === undefined) return end
  const valid = validate(ports, planned, read.right)
  return E.isLeft(valid) ? E.left(valid) : valid
}

/**
 * Creates each account whose data the store knows to be valid by the present rules; validates all other data, and creates its
 * account then. Data that somebody reads is always validated. `needs_validation`: the data is large, or it changed in between, which
 * cannot happen in a unit of work. One result for each, in their order.
 */
export const createValidated = async (
  ports: ValidityPorts,
  accountImports: CreatingStore,
  planned: readonly PlannedCreation[],
  large: LargeAccounts,
): Promise<readonly CreationResult[]> => {
  const first = await create(
    accountImports,
    planned.map(({ creation, accepted: { supplier } }) => ({
      ...creation,
      validatedUnder: needsDetails(ports, supplier) ? undefined : rulesInForce(ports.settings, supplier),
    })),
  )
  const found: Either<CreationResult, Valid>[] = []
  for (const [index, each] of planned.entries())
    found.push(
      await validated(
        ports,
        accountImports,
        each,
        first[index] as Either<PortFailure, CreationOutcome>,
        large,
      ),
    )
  const valid = found.flatMap((each) => (E.isRight(each) ? [each.right] : []))
  const second = (
    await create(
      accountImports,
      valid.map(({ creation }) => creation),
    )
  ).values()
  return found.map((each): CreationResult => {
    if (E.isLeft(each)) return each.left
    const outcome = second.next().value as Either<PortFailure, CreationOutcome>
    const { warnings, account } = each.right
    return E.isLeft(outcome) ? outcome : E.right({ outcome: outcome.right, warnings, account })
  })
}

const isOpen = (results: CreationResult | undefined, isLeftOut: boolean): boolean =>
  results?._tag === 'Right' &&
  results.right.outcome._tag === 'needs_validation' &&
  (results.right.outcome.payload === undefined) === isLeftOut

/** Whether the account was not created because its data is large. */
export const isLarge = (results: CreationResult | undefined): boolean => isOpen(results, true)

/** Whether the account was not created because its data changed meanwhile. */
export const isChanged = (results: CreationResult | undefined): boolean => isOpen(results, false)
