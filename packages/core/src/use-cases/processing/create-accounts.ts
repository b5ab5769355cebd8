import { accountFromPayload } from '../../domain/account-from-payload.js'
import type { Account } from '../../domain/account.js'
import { emailLanguage, wantsEmail } from '../../domain/customer-email.js'
import { E, type Either } from '../../fp.js'
import type { FieldError } from '../../codec/findings.js'
import type { Creation, CreationOutcome } from '../../ports/account-imports.js'
import type { Ports } from '../../ports/index.js'
import type { NewCustomerEmail } from '../../ports/outbox.js'
import { noOutcome, portFailure, type PortFailure } from '../../ports/port-failure.js'
import type { TransactionalStores } from '../../ports/unit-of-work.js'
import { judgedBy } from '../../validation/judgement.js'
import { idFrom } from '../../values/api-key.js'
import { validatedAccount } from '../check-payload.js'
import type { ProcessingRefused } from '../errors.js'
import { retryAfterSeconds } from '../import-refusals.js'
import { forRights } from '../lists.js'
import { type AcceptedRequest, type ProcessAnswer, refusedByImport } from './accept-requests.js'

/** An account to create: its request, and the change that the store is asked for. */
type Wanted = Readonly<{ accepted: AcceptedRequest; creation: Creation }>

/** An account whose staged data was found valid now. */
type Judged = Wanted & Readonly<{ account: Account; warnings: readonly FieldError[] }>

const wantedOf =
  ({ platformAccountNumbers, clock, settings }: Ports) =>
  async (accepted: AcceptedRequest): Promise<ProcessAnswer<Wanted>> => {
    const number = await platformAccountNumbers.next()()
    if (E.isLeft(number)) return number
    const { key, request, by, importRun, token, supplier } = accepted
    const creation = {
      key,
      platformAccountNumber: number.right,
      operationsTeam: request.operations_team_name,
      at: clock.now(),
      by,
      importRun,
      token,
      judgedBy: judgedBy(settings, supplier),
    }
    return E.right({ accepted, creation })
  }

/** What the store answered, and the warnings about the data. */
type Written = Readonly<{
  outcome: Exclude<CreationOutcome, { _tag: 'not_judged' }>
  warnings: readonly FieldError[]
}>

const answerOf = async (
  ports: Pick<Ports, 'accountImports'>,
  { creation: { key, platformAccountNumber } }: Wanted,
  { outcome, warnings }: Written,
): Promise<ProcessAnswer> => {
  switch (outcome._tag) {
    case 'created':
      return E.right({ platformAccountNumber, warnings })
    case 'failed':
      return E.left(outcome.failure)
    case 'not_staged':
      return E.left({ _tag: 'NothingStaged' })
    case 'claim_lost':
      return E.left({ _tag: 'ClaimLost', key, retryAfterSeconds })
    case 'already_imported':
    case 'in_progress':
    case 'marked_to_skip':
      return refusedByImport(ports, key, outcome)
  }
}

/** Validates staged data by the present settings, and makes the account of it. */
const judge = (
  ports: Ports,
  { accepted, creation }: Wanted,
  { version, payload }: Readonly<{ version: number; payload: string }>,
): ProcessAnswer<Judged> => {
  let parsed: unknown
  try {
    parsed = JSON.parse(payload)
  } catch {
    return E.left(portFailure('unexpected', 'accountImports', 'create', new Error('staged data is no JSON')))
  }
  const checked = validatedAccount(ports)(parsed, accepted.supplier)
  if (E.isLeft(checked)) return checked
  const { warnings } = checked.right
  const { key, platformAccountNumber, operationsTeam, at: createdAt, importRun } = creation
  const account: Account = {
    key,
    platformAccountNumber,
    operationsTeam,
    stagedVersion: version,
    createdAt,
    ...(importRun !== undefined && { importRun }),
    details: accountFromPayload(checked.right.account, createdAt),
  }
  return E.right({ accepted, creation: { ...creation, version }, account, warnings })
}

/** The e-mail to the customers of a new account, if the supplier's settings enable it and a customer can get it. */
const emailOf = (
  { secrets, settings: { defaultCountry } }: Ports,
  { account: { key, platformAccountNumber, createdAt, details }, accepted }: Judged,
): readonly NewCustomerEmail[] => {
  const { settings } = accepted.supplier
  if (!settings.migrationEmails || !wantsEmail(details)) return []
  const language = emailLanguage(settings, details, defaultCountry)
  return [{ id: idFrom(secrets.generate(), 22), key, platformAccountNumber, language, enqueuedAt: createdAt }]
}

type Stores = Pick<TransactionalStores, 'accountImports' | 'accounts' | 'outbox'>

const dataChanged = (): PortFailure =>
  portFailure('unexpected', 'accountImports', 'create', new Error('staged data changed in a unit of work'))

/** Writes judged accounts, tells the platform, and stores the e-mails. Left: the unit of work has to be rolled back. */
const writeJudged = async (
  ports: Ports,
  { accountImports, accounts, outbox }: Stores,
  judged: readonly Judged[],
): Promise<Either<PortFailure, readonly Written[]>> => {
  const outcomes = await accountImports.create(judged.map(({ creation }) => creation))()
  if (E.isLeft(outcomes)) return outcomes
  const written: Written[] = []
  const created: Judged[] = []
  for (const [index, each] of judged.entries()) {
    const outcome = outcomes.right[index]
    if (outcome === undefined || outcome._tag === 'not_judged') return E.left(dataChanged())
    if (outcome._tag === 'created') created.push(each)
    written.push({ outcome, warnings: each.warnings })
  }
  const told =
    created.length === 0 ? undefined : await accounts.create?.(created.map((each) => each.account))()
  if (told !== undefined && E.isLeft(told)) return told
  const emails = created.flatMap((each) => emailOf(ports, each))
  const enqueued = emails.length === 0 ? undefined : await outbox.enqueue(emails)()
  return enqueued !== undefined && E.isLeft(enqueued) ? enqueued : E.right(written)
}

type Outcomes = readonly Either<ProcessingRefused | PortFailure, Written>[]

/**
 * Reads the staged data of each account, which then cannot change, validates it again, and creates the account, within one unit
 * of work. Data that is not valid any more is the answer of its own account alone.
 */
const createWithin = async (
  ports: Ports,
  stores: Stores,
  wanted: readonly Wanted[],
): Promise<Either<PortFailure, Outcomes>> => {
  const read = await stores.accountImports.create(
    wanted.map(({ creation }) => ({ ...creation, judgedBy: undefined })),
  )()
  if (E.isLeft(read)) return read
  const judged: Judged[] = []
  const outcomes: (Outcomes[number] | undefined)[] = []
  for (const [index, each] of wanted.entries()) {
    const outcome = read.right[index] ?? { _tag: 'failed', failure: noOutcome() }
    const answer = outcome._tag === 'not_judged' ? judge(ports, each, outcome) : undefined
    if (answer !== undefined && E.isRight(answer)) judged.push(answer.right)
    if (outcome._tag !== 'not_judged') outcomes.push(E.right({ outcome, warnings: [] }))
    else outcomes.push(answer !== undefined && E.isLeft(answer) ? answer : undefined)
  }
  const written = judged.length === 0 ? E.right([]) : await writeJudged(ports, stores, judged)
  if (E.isLeft(written)) return written
  const rest = written.right.values()
  return E.right(outcomes.map((each) => each ?? E.right(rest.next().value as Written)))
}

/** The answer of a dry run that found nothing wrong; a Left, so that its unit of work is rolled back. */
type DryRunSucceeded = Extract<ProcessingRefused, { _tag: 'DryRunSucceeded' }>

/** Does all steps of a creation, and undoes them. */
const tryOut = async (ports: Ports, wanted: Wanted): Promise<Outcomes[number]> => {
  const tried = await ports.unitOfWork.run<DryRunSucceeded | PortFailure, Outcomes>((stores) => async () => {
    const outcomes = await createWithin(ports, stores, [wanted])
    if (E.isLeft(outcomes)) return outcomes
    const [only] = outcomes.right
    return only?._tag === 'Right' && only.right.outcome._tag === 'created'
      ? E.left({ _tag: 'DryRunSucceeded' as const })
      : outcomes
  })()
  return E.isLeft(tried) ? tried : (tried.right[0] ?? E.left(noOutcome()))
}

/** One unit of work for all; if it fails, one for each, so that an account that cannot be created fails alone. */
const createInUnits = async (ports: Ports, wanted: readonly Wanted[]): Promise<Outcomes> => {
  const done = await ports.unitOfWork.run<PortFailure, Outcomes>(
    (stores) => () => createWithin(ports, stores, wanted),
  )()
  if (E.isRight(done)) return done.right
  const isAway = done.left.kind === 'unavailable' && done.left.ofSomeRows !== true
  if (wanted.length === 1 || isAway) return wanted.map(() => done)
  const outcomes: Outcomes[number][] = []
  for (const each of wanted) outcomes.push(...(await createInUnits(ports, [each])))
  return outcomes
}

/** Whether the store can create the account from its staged data alone: nobody needs to read it. */
const isDirect = ({ accepted: { request, supplier, token }, creation }: Wanted): boolean =>
  token === undefined &&
  creation.judgedBy !== undefined &&
  request.dry_run !== true &&
  !supplier.settings.migrationEmails

/** Creates in one statement what was staged as valid by the present rules; undefined for all other accounts. */
const createDirectly = async (
  ports: Ports,
  wanted: readonly Wanted[],
): Promise<readonly (Outcomes[number] | undefined)[]> => {
  const direct = wanted.filter(isDirect)
  const outcomes =
    direct.length === 0
      ? E.right([])
      : await ports.accountImports.create(direct.map(({ creation }) => creation))()
  const rest = E.isLeft(outcomes) ? undefined : outcomes.right.values()
  return wanted.map((each): Outcomes[number] | undefined => {
    if (!isDirect(each)) return undefined
    if (E.isLeft(outcomes)) return outcomes
    const outcome = rest?.next().value
    if (outcome === undefined) return E.left(noOutcome())
    return outcome._tag === 'not_judged' ? undefined : E.right({ outcome, warnings: [] })
  })
}

/**
 * Creates accounts from their staged data: in one statement, or, where somebody needs to read the data, in a unit of work that
 * validates it again. A dry run stores nothing, and no e-mail. One answer for each, in their order.
 */
export const createAccounts =
  (ports: Ports) =>
  async (accepted: readonly AcceptedRequest[]): Promise<readonly ProcessAnswer[]> =>
    forRights(await Promise.all(accepted.map(wantedOf(ports))), async (wanted) => {
      const direct = await createDirectly(ports, wanted)
      const open = wanted.filter((_, index) => direct[index] === undefined)
      const inUnit = open.filter(({ accepted: { request } }) => request.dry_run !== true)
      const units = (inUnit.length === 0 ? [] : await createInUnits(ports, inUnit)).values()
      const answers: ProcessAnswer[] = []
      for (const [index, each] of wanted.entries()) {
        const isTrial = each.accepted.request.dry_run === true
        const outcome = direct[index] ?? (isTrial ? await tryOut(ports, each) : units.next().value)
        if (outcome === undefined) answers.push(E.left(noOutcome()))
        else answers.push(E.isLeft(outcome) ? outcome : await answerOf(ports, each, outcome.right))
      }
      return answers
    })
