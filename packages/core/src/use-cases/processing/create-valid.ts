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
import { judgedBy } from '../judgement.js'
import type { AcceptedRequest, ProcessAnswer } from './accept-requests.js'

/** An account to create: its request, and the change that the store is asked for. */
export type Wanted = Readonly<{ accepted: AcceptedRequest; creation: Creation }>

/** The outcome of the store. `account`: only if it was created now, and somebody reads it. */
export type Created = Readonly<{
  outcome: CreationOutcome
  warnings: readonly FieldError[]
  account?: Account | undefined
}>

/** Why the account could not be created, or the outcome of the store. */
export type Settled = Either<ProcessingRefused | PortFailure, Created>

type ReaderPorts = Pick<Ports, 'accounts'>

/** Whether somebody reads the account when it is created: the platform, or the e-mail to its customers. */
export const isRead = ({ accounts }: ReaderPorts, { settings }: Pick<ImportSupplier, 'settings'>): boolean =>
  accounts.create !== undefined || settings.migrationEmails

/** Staged data that was found valid now. */
type Valid = Readonly<{ creation: Creation; warnings: readonly FieldError[]; account: Account | undefined }>

type ValidityPorts = ReaderPorts & Pick<Ports, 'clock' | 'settings'>

/** Validates staged data by the present settings, and reads the account if somebody needs it. */
const validate = (
  ports: ValidityPorts,
  { accepted, creation }: Wanted,
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
    creation: { ...creation, version, judgedBy: judgedBy(ports.settings, accepted.supplier) },
    warnings: checked.right.warnings,
    account: isRead(ports, accepted.supplier) ? account() : undefined,
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
export type Sizes = 'all' | 'not_large'

/** Data that was not returned with others, as it is large. Other requests have their turn before it is worked on. */
const readLarge = async (accountImports: CreatingStore, { creation: { key } }: Wanted) => {
  const staged = await accountImports.staged(key)
  await pause(0)
  return staged
}

/** Validates the data of an account that was not created at once; a Left is the end of its creation. */
const judged = async (
  ports: ValidityPorts,
  accountImports: CreatingStore,
  wanted: Wanted,
  known: Either<PortFailure, CreationOutcome>,
  sizes: Sizes,
): Promise<Either<Settled, Valid>> => {
  if (E.isLeft(known)) return E.left(known)
  const outcome = known.right
  const end = E.left(E.right({ outcome, warnings: [] }))
  if (outcome._tag !== 'not_judged') return end
  const { version, payload } = outcome
  if (payload === undefined && sizes === 'not_large') return end
  const read = payload === undefined ? await readLarge(accountImports, wanted) : E.right({ version, payload })
  if (E.isLeft(read)) return E.left(read)
  if (read.right === undefined) return end
  const valid = validate(ports, wanted, read.right)
  return E.isLeft(valid) ? E.left(valid) : valid
}

/**
 * Creates each account whose data the store knows to be valid by the present rules; validates all other data, and creates its
 * account then. Data that somebody reads is always validated. `not_judged`: the data is large, or it changed in between, which
 * cannot happen in a unit of work. One result for each, in their order.
 */
export const createValid = async (
  ports: ValidityPorts,
  accountImports: CreatingStore,
  wanted: readonly Wanted[],
  sizes: Sizes,
): Promise<readonly Settled[]> => {
  const first = await create(
    accountImports,
    wanted.map(({ creation, accepted: { supplier } }) => ({
      ...creation,
      judgedBy: isRead(ports, supplier) ? undefined : judgedBy(ports.settings, supplier),
    })),
  )
  const found: Either<Settled, Valid>[] = []
  for (const [index, each] of wanted.entries())
    found.push(
      await judged(ports, accountImports, each, first[index] as Either<PortFailure, CreationOutcome>, sizes),
    )
  const valid = found.flatMap((each) => (E.isRight(each) ? [each.right] : []))
  const second = (
    await create(
      accountImports,
      valid.map(({ creation }) => creation),
    )
  ).values()
  return found.map((each): Settled => {
    if (E.isLeft(each)) return each.left
    const outcome = second.next().value as Either<PortFailure, CreationOutcome>
    const { warnings, account } = each.right
    return E.isLeft(outcome) ? outcome : E.right({ outcome: outcome.right, warnings, account })
  })
}

const isOpen = (settled: Settled | undefined, isLeftOut: boolean): boolean =>
  settled?._tag === 'Right' &&
  settled.right.outcome._tag === 'not_judged' &&
  (settled.right.outcome.payload === undefined) === isLeftOut

/** Whether the account was not created because its data is large. */
export const isLarge = (settled: Settled | undefined): boolean => isOpen(settled, true)

/** Whether the account was not created because its data changed meanwhile. */
export const isChanged = (settled: Settled | undefined): boolean => isOpen(settled, false)
