import { refusalOf } from '../domain/account-import.js'
import type { AccountKey } from '../domain/account-key.js'
import type { Actor } from '../domain/audit-entry.js'
import { E, type Either, pipe, type TaskEither, TE } from '../fp.js'
import { importSupplierCode } from '../payloads/identifiers.js'
import type { Ports } from '../ports/index.js'
import { onlyOutcome, portFailure, type PortFailure } from '../ports/port-failure.js'
import { rememberedSuppliers } from '../provided/remembered.js'
import { readField } from '../validation/check.js'
import {
  checkAccount,
  type CheckedAccount,
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
  stagingRefusal,
  type SupplierNotOngoing,
  type UseCaseResult,
} from './errors.js'

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

type StagePorts = Pick<Ports, 'importSuppliers' | 'accountImports' | 'clock' | 'documents' | 'settings'>

const keyOf = (organisation: string, account: CheckedAccount['account']): AccountKey => ({
  organisation,
  importSupplier: account.import_supplier,
  externalAccountNumber: account.external_account_number,
})

/** Refuses if the supplier is not ongoing, but a refusal because of the account itself comes first. */
const refuseUnlessOngoing =
  ({ accountImports, clock }: StagePorts) =>
  (key: AccountKey, supplier: NamedSupplier['supplier']): TaskEither<StagingRefused | PortFailure, void> => {
    if (supplier?.status === 'ongoing') return TE.right(undefined)
    return pipe(
      accountImports.find(key),
      TE.flatMap((found) => {
        const refusal = found && refusalOf(found, clock.now())
        return TE.left<StagingRefused>(
          refusal ? stagingRefusal(refusal, key.externalAccountNumber) : { _tag: 'SupplierNotOngoing' },
        )
      }),
    )
  }

/** An account that may be staged. Of its payload only the text is left: that which was sent, where it was accepted whole. */
type Accepted = Readonly<{
  key: AccountKey
  text: string
  by: Actor | undefined
  warnings: CheckedAccount['warnings']
}>

/** What a supplier, as it was found, says of the account. */
const validated =
  (ports: StagePorts) =>
  async (
    { organisation, payload, text, by }: Submission,
    named: NamedSupplier,
  ): Promise<Either<StagingRefused | PortFailure, Accepted>> => {
    const checked = await checkAccount(ports)(payload, named)
    if (E.isLeft(checked)) return checked
    const { account, isWhole, warnings } = checked.right
    const key = keyOf(organisation, account)
    const refused = await refuseUnlessOngoing(ports)(key, named.supplier)()
    if (E.isLeft(refused)) return refused
    return E.right({ key, text: (isWhole ? text : undefined) ?? JSON.stringify(account), by, warnings })
  }

type Answer = Either<StagingRefused | PortFailure, Staged>

/** Undefined: nothing was staged, since the supplier no longer has the revision. */
const store =
  ({ accountImports, clock }: StagePorts) =>
  async ({ key, text, by, warnings }: Accepted, supplierRevision?: string): Promise<Answer | undefined> => {
    const staging = { key, payload: text, at: clock.now(), by }
    const hangs = supplierRevision === undefined ? staging : { ...staging, supplierRevision }
    const outcome = await onlyOutcome(accountImports.stage([hangs]))()
    if (E.isLeft(outcome)) return outcome
    const staged = outcome.right
    switch (staged._tag) {
      case 'created':
      case 'replaced': {
        const { importSupplier, externalAccountNumber } = key
        return E.right({ outcome: staged._tag, importSupplier, externalAccountNumber, warnings })
      }
      case 'supplier_changed':
        return undefined
      default:
        return E.left(stagingRefusal(staged, key.externalAccountNumber))
    }
  }

const notHanging = (): PortFailure =>
  portFailure('unexpected', 'accountImports', 'stage', new Error('a staging hung on no revision'))

/**
 * Validates and stores; staged data is replaced whole. The account is validated by the supplier as it was when it was last read:
 * if it is accepted, staging hangs on the supplier being so still, which saves a round trip; if not, or if the supplier has
 * changed, it is read. With await rather than as a pipe, because most of what the service does is this: a promise for
 * each step is a tenth of it.
 */
export const stageAccount = (
  ports: StagePorts,
): ((submission: Submission) => UseCaseResult<StagingRefused, Staged>) => {
  const importSuppliers = rememberedSuppliers(ports.importSuppliers)
  const named = namedSupplier({ importSuppliers })
  const accepted = validated(ports)
  const stored = store(ports)
  return (submission: Submission) => async () => {
    const { organisation, payload } = submission
    const code = readField(importSupplierCode, payload, 'import_supplier')
    const known = code === undefined ? undefined : importSuppliers.known(organisation, code)
    const before = known && (await accepted(submission, { supplier: known, isMissing: false }))
    if (before?._tag === 'Right') {
      const answer = await stored(before.right, known?.revision)
      if (answer !== undefined) return answer
    }
    const found = await named(organisation, payload, 'import_supplier')()
    if (E.isLeft(found)) return found
    if (before?._tag === 'Left' && found.right.supplier?.revision === known?.revision) return before
    const now = await accepted(submission, found.right)
    if (E.isLeft(now)) return now
    return (await stored(now.right)) ?? E.left(notHanging())
  }
}
