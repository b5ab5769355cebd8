import type { AccountKey } from '../domain/account-key.js'
import { refusalOf } from '../domain/account-import.js'
import { E, pipe, TE, type TaskEither } from '../fp.js'
import type { Ports } from '../ports/index.js'
import type { StageOutcome } from '../ports/account-imports.js'
import type { PortFailure } from '../ports/port-failure.js'
import { checkAccount, type CheckedAccount } from './check-account.js'
import type { NamedSupplier } from './named-supplier.js'
import { stagingRefusal } from './refusals.js'
import type { StagingRefused, Submission, UseCases } from './signatures.js'
import { onlyOutcome } from './only-outcome.js'

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

type Answer = Awaited<ReturnType<ReturnType<UseCases['stageAccount']>>>

const answer = (key: AccountKey, warnings: CheckedAccount['warnings'], staged: StageOutcome): Answer => {
  switch (staged._tag) {
    case 'created':
    case 'replaced': {
      const { importSupplier, externalAccountNumber } = key
      return E.right({ outcome: staged._tag, importSupplier, externalAccountNumber, warnings })
    }
    default:
      return E.left(stagingRefusal(staged, key.externalAccountNumber))
  }
}

/**
 * Validates and stores; staged data is replaced whole. Of the payload only its text waits for the database: the text that
 * was sent, unless something had to be left out of it. With await rather than as a pipe, because most of what the service
 * does is this: a promise for each step is a tenth of it.
 */
export const stageAccount =
  (ports: StagePorts): UseCases['stageAccount'] =>
  (submission: Submission) =>
  async () => {
    const checked = await checkAccount(ports)(submission)
    if (E.isLeft(checked)) return checked
    const { account, isWhole, supplier, warnings } = checked.right
    const key = keyOf(submission.organisation, account)
    const refused = await refuseUnlessOngoing(ports)(key, supplier)()
    if (E.isLeft(refused)) return refused
    const text = isWhole ? submission.text : undefined
    const staging = { key, payload: text ?? JSON.stringify(account), at: ports.clock.now() }
    const outcome = await onlyOutcome(ports.accountImports.stage([staging]))()
    return E.isLeft(outcome) ? outcome : answer(key, warnings, outcome.right)
  }
