import type { FieldError } from '../../codec/findings.js'
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
  const outcomes = await accountImports.create(creations)()
  if (E.isLeft(outcomes)) return creations.map(() => outcomes)
  return creations.map((_, index) => {
    const outcome = outcomes.right[index]
    return outcome === undefined ? E.left(noOutcome()) : E.right(outcome)
  })
}

/**
 * Creates each account whose data the store knows to be valid by the present rules; validates all other data, and creates its
 * account then. Data that somebody reads is always validated. `not_judged`: the data changed in between, which cannot happen in a
 * unit of work. One result for each, in their order.
 */
export const createValid = async (
  ports: ValidityPorts,
  accountImports: Pick<AccountImports, 'create'>,
  wanted: readonly Wanted[],
): Promise<readonly Settled[]> => {
  const first = await create(
    accountImports,
    wanted.map(({ creation, accepted: { supplier } }) => ({
      ...creation,
      judgedBy: isRead(ports, supplier) ? undefined : judgedBy(ports.settings, supplier),
    })),
  )
  const found = wanted.map((each, index): Either<Settled, Valid> => {
    const known = first[index] as Either<PortFailure, CreationOutcome>
    if (E.isLeft(known)) return E.left(known)
    const outcome = known.right
    if (outcome._tag !== 'not_judged') return E.left(E.right({ outcome, warnings: [] }))
    const valid = validate(ports, each, outcome)
    return E.isLeft(valid) ? E.left(valid) : valid
  })
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
