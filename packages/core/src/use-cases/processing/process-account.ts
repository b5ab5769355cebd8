import type { ErrorCode } from '../../catalogue/index.js'
import { type AccountKey, refusalOf } from '../../domain/account-import.js'
import type { ImportSupplier } from '../../domain/import-supplier.js'
import type { InRun } from '../../domain/import-run.js'
import { E, type Either, pipe, TE } from '../../fp.js'
import { importSupplierCode, operationsTeamName } from '../../payloads/identifiers.js'
import { processRequest } from '../../payloads/requests.js'
import type { ClaimRequest } from '../../ports/account-imports.js'
import type { Ports } from '../../ports/index.js'
import { type PortFailure, portFailure, type PortResult } from '../../ports/port-failure.js'
import { rememberedSuppliers } from '../../provided/remembered.js'
import { readField } from '../../validation/check.js'
import {
  checkedRequest,
  type CheckedRequest,
  checkNamedRequest,
  type Submission,
  validatedAccount,
  type WithWarnings,
} from '../check-payload.js'
import type { ProcessingRefused, UseCaseResult } from '../errors.js'
import { refuseProcessing } from '../import-refusals.js'
import { claimAccount, type ClaimedAccount, claimInTurn } from './claim-account.js'
import { createAccount } from './create-account.js'
import { largeAccountsInTurn, pauseIfLarge } from './large-accounts.js'

export type Processed = Readonly<{ platformAccountNumber: string }> & WithWarnings

/** Whether the organisation may use the team that an unchecked payload names; false for a name that cannot be read. */
const teamExists =
  ({ operationsTeams }: Pick<Ports, 'operationsTeams'>) =>
  ({ organisation, payload }: Pick<Submission, 'organisation' | 'payload'>): PortResult<boolean> => {
    const name = readField(operationsTeamName, payload, 'operations_team_name')
    return name === undefined ? TE.right(false) : operationsTeams.exists(name, organisation)
  }

type Refused = UseCaseResult<ProcessingRefused, never>

/** The first reason not to process, by the order in docs/reference/api.md#answers. */
const firstRefusal = (
  ports: Pick<Ports, 'accountImports' | 'clock'>,
  key: AccountKey,
  supplier: ImportSupplier,
): Refused =>
  pipe(
    ports.accountImports.find(key),
    TE.flatMap((found): Refused => {
      const refusal = found && refusalOf(found, ports.clock.now())
      if (refusal) return refuseProcessing(ports, { key }, refusal)
      if (supplier.status !== 'ongoing') return TE.left({ _tag: 'SupplierNotOngoing' })
      if (found === undefined || found.stagedVersion === 0) return TE.left({ _tag: 'NothingStaged' })
      return TE.left({ _tag: 'OperationsTeamDoesNotExist' })
    }),
  )

/**
 * Refuses before a claim if the supplier is not ongoing or the team does not exist. Reasons in the import itself precede these.
 * The claim finds them too, so the import is read only if supplier or team refuse.
 */
const refuseUnprocessable =
  (ports: Pick<Ports, 'accountImports' | 'clock'>) =>
  (
    key: AccountKey,
    supplier: ImportSupplier,
    team: Either<PortFailure, boolean>,
  ): UseCaseResult<ProcessingRefused, void> => {
    if (supplier.status !== 'ongoing') return firstRefusal(ports, key, supplier)
    return pipe(
      TE.fromEither(team),
      TE.flatMap((exists): UseCaseResult<ProcessingRefused, void> =>
        exists ? TE.right(undefined) : firstRefusal(ports, key, supplier),
      ),
    )
  }

/** The code that is stored on the import for a failure after the claim. */
const codeOf = (failure: ProcessingRefused | PortFailure): ErrorCode => {
  if (failure._tag === 'AccountFailedValidation') return 'account_failed_validation'
  return failure._tag === 'PortFailure' && failure.kind === 'unavailable' ? 'service_unavailable' : 'error'
}

type Work<A> = UseCaseResult<ProcessingRefused, A>

/** Turns an exception into a failure, so that it ends the claim too. */
const withThrownAsFailure =
  <A>(work: Work<A>): Work<A> =>
  async () => {
    try {
      return await work()
    } catch (cause) {
      return E.left(portFailure('unexpected', 'processAccount', 'create', cause))
    }
  }

/**
 * A failure ends the claim, so that the account can be tried again at once, and is stored on the import, except in a dry run, and
 * where too many accounts were being processed. If
 * the release fails, the claim expires, and the store's failure is the answer: the same request may be sent again.
 */
const releaseOnFailure =
  ({ accountImports, clock }: Pick<Ports, 'accountImports' | 'clock'>, claim: ClaimedAccount) =>
  <A>(work: Work<A>): Work<A> =>
    pipe(
      withThrownAsFailure(work),
      TE.orElse((failure) => {
        const isRecorded = !claim.dryRun && failure._tag !== 'ConcurrencyLimitReached'
        const recorded = isRecorded ? { failure: { code: codeOf(failure), at: clock.now() } } : {}
        return pipe(
          accountImports.release([{ key: claim.key, token: claim.token, by: claim.by, ...recorded }]),
          TE.mapLeft((releaseFailure) => (failure._tag === 'PortFailure' ? failure : releaseFailure)),
          TE.flatMap(() => TE.left(failure)),
        )
      }),
    )

const keyOf = (organisation: string, { request }: CheckedRequest): AccountKey => ({
  organisation,
  importSupplier: request.import_supplier_code,
  externalAccountNumber: request.external_account_number,
})

/** Parses staged data, which is validated afterwards. */
const parsed = (payload: string): E.Either<PortFailure, unknown> =>
  E.tryCatch(
    () => JSON.parse(payload) as unknown,
    () => portFailure('unexpected', 'accountImports', 'claim', new Error('staged data is no JSON')),
  )

/** Validates the staged data again, by the present settings, before the account is created from it. */
const createUnderClaim = (ports: Ports) => {
  const create = createAccount(ports)
  const withPayload = largeAccountsInTurn(ports)
  return (claim: ClaimedAccount, { request, supplier }: CheckedRequest) => {
    const created = (text: string): Work<Processed> =>
      pipe(
        TE.fromEither(parsed(text)),
        TE.flatMap(pauseIfLarge(claim)),
        TE.flatMapEither((payload) => validatedAccount(ports)(payload, supplier)),
        TE.flatMap(pauseIfLarge(claim)),
        TE.flatMap(({ account, warnings }) =>
          pipe(
            create(claim, account, request.operations_team_name, supplier.settings),
            TE.map(({ platformAccountNumber }) => ({ platformAccountNumber, warnings })),
          ),
        ),
      )
    return pipe(withPayload(claim, created), releaseOnFailure(ports, claim))
  }
}

type Answer = Either<ProcessingRefused | PortFailure, Processed>

const isLimited = (answer: Answer): boolean =>
  E.isLeft(answer) && answer.left._tag === 'ConcurrencyLimitReached'

const notAsked = (): PortFailure =>
  portFailure(
    'unexpected',
    'accountImports',
    'claim',
    new Error('a claim without a precondition failed by one'),
  )

/**
 * Creates an account from its staged data (docs/reference/api.md#states). If the supplier is known from an earlier request, the
 * claim itself checks the supplier's revision and the team, which saves a round trip and two statements. If this check fails,
 * both are read concurrently, as for the first request.
 */
export const processAccount = (
  ports: Ports,
): ((submission: Submission & InRun) => UseCaseResult<ProcessingRefused, Processed>) => {
  const importSuppliers = rememberedSuppliers(ports.importSuppliers)
  const create = createUnderClaim(ports)
  const inTurn = claimInTurn(ports)

  /** Undefined: the precondition failed, and nothing was claimed. */
  const claimAndCreate = async (
    { organisation, by, run }: Submission & InRun,
    checked: CheckedRequest,
    precondition?: ClaimRequest['precondition'],
  ): Promise<Answer | undefined> => {
    const dryRun = checked.request.dry_run ?? false
    const claim = claimAccount(ports)(keyOf(organisation, checked), dryRun, by, run?.id, precondition)
    const done = await inTurn(organisation, claim, (claimed) => create(claimed, checked))()
    if (E.isRight(done)) return done
    const { left } = done
    return left._tag === 'PreconditionFailed' ? undefined : E.left(left)
  }

  const lookUp = (submission: Submission): Work<CheckedRequest> =>
    pipe(
      TE.fromTask(teamExists(ports)(submission)),
      TE.bindTo('team'),
      TE.apSW('checked', checkNamedRequest({ ...ports, importSuppliers }, processRequest)(submission)),
      TE.tap(({ checked, team }) =>
        refuseUnprocessable(ports)(keyOf(submission.organisation, checked), checked.supplier, team),
      ),
      TE.map(({ checked }) => checked),
    )

  return (submission: Submission & InRun) => async () => {
    const { organisation, payload } = submission
    let answer: Answer | undefined
    const code = readField(importSupplierCode, payload, 'import_supplier_code')
    const known = code === undefined ? undefined : importSuppliers.known(organisation, code)
    const checked =
      known && checkedRequest(ports, processRequest)(payload, { supplier: known, isMissing: false })
    if (known?.status === 'ongoing' && checked?._tag === 'Right') {
      const operationsTeam = checked.right.request.operations_team_name
      const precondition = { supplierRevision: known.revision, operationsTeam }
      answer = await claimAndCreate(submission, checked.right, precondition)
      if (answer !== undefined && !isLimited(answer)) return answer
    }
    const found = await lookUp(submission)()
    if (E.isLeft(found)) return found
    // Permanent refusals precede the limit.
    if (answer !== undefined) return answer
    return (await claimAndCreate(submission, found.right)) ?? E.left(notAsked())
  }
}
