import type { AccountKey } from '../../domain/account-key.js'
import { E, pipe, TE } from '../../fp.js'
import { processRequest } from '../../payloads/process-request.js'
import type { Ports } from '../../ports/index.js'
import { portFailure, type PortFailure } from '../../ports/port-failure.js'
import { validatedAccount } from '../check-account.js'
import type { Submission, UseCases } from '../signatures.js'
import { checkProcessRequest, type CheckedRequest } from '../check-process-request.js'
import { claimAccount, type ClaimedAccount } from './claim-account.js'
import { claimInTurn } from './claim-in-turn.js'
import { createAccount } from './create-account.js'
import { refuseUnprocessable } from './refuse.js'
import { releaseOnFailure } from './release-on-failure.js'
import { teamExists } from './team-exists.js'

const keyOf = (organisation: string, { request }: CheckedRequest): AccountKey => ({
  organisation,
  importSupplier: request.import_supplier_code,
  externalAccountNumber: request.external_account_number,
})

/** Parses staged data. Here it only has to be JSON; whether it is valid is checked afterwards. */
const parsed = (payload: string): E.Either<PortFailure, unknown> =>
  E.tryCatch(
    () => JSON.parse(payload) as unknown,
    () => portFailure('unexpected', 'accountImports', 'claim', new Error('staged data is no JSON')),
  )

/** Validates the staged data again, by today's rules, before anything is created from it. */
const createUnderClaim = (ports: Ports) => {
  const create = createAccount(ports)
  return (claim: ClaimedAccount, { request, supplier }: CheckedRequest) =>
    pipe(
      TE.fromEither(parsed(claim.payload)),
      TE.flatMapEither((payload) => validatedAccount(ports)(payload, supplier)),
      TE.bindTo('checked'),
      TE.bindW('created', ({ checked }) =>
        create(claim, checked.account, request.operations_team_name, supplier?.settings),
      ),
      TE.map(({ checked, created }) => ({
        platformAccountNumber: created.platformAccountNumber,
        warnings: checked.warnings,
      })),
      releaseOnFailure(ports, claim),
    )
}

/** Creates an account from its staged data (docs/reference/api.md#states). Supplier and team are looked up at once. */
export const processAccount = (ports: Ports): UseCases['processAccount'] => {
  const create = createUnderClaim(ports)
  const inTurn = claimInTurn(ports)
  return (submission: Submission) =>
    pipe(
      TE.fromTask(teamExists(ports)(submission)),
      TE.bindTo('team'),
      TE.apSW('checked', checkProcessRequest(ports, processRequest)(submission)),
      TE.let('key', ({ checked }) => keyOf(submission.organisation, checked)),
      TE.tap(({ checked, key, team }) => refuseUnprocessable(ports)(key, checked.supplier, team)),
      TE.flatMap(({ checked, key }) =>
        inTurn(
          submission.organisation,
          claimAccount(ports)(key, checked.request.dry_run ?? false, submission.by),
          (claim) => create(claim, checked),
        ),
      ),
    )
}
