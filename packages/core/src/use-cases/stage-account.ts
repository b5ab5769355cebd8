import type { AccountKey } from '../domain/account-key.js'
import { refusalOf } from '../domain/account-import.js'
import { pipe, TE, type TaskEither } from '../fp.js'
import type { Ports } from '../ports/index.js'
import type { StageOutcome } from '../ports/account-imports.js'
import type { PortFailure } from '../ports/port-failure.js'
import { checkAccount, type CheckedAccount } from './check-account.js'
import type { NamedSupplier } from './named-supplier.js'
import { stagingRefusal } from './refusals.js'
import type { StagingRefused, Submission, UseCases } from './signatures.js'
import { onlyOutcome } from './only-outcome.js'

type StagePorts = Pick<Ports, 'importSuppliers' | 'accountImports' | 'clock' | 'documents' | 'settings'>

const keyOf = (organisation: string, { account }: CheckedAccount): AccountKey => ({
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

const answer =
  (key: AccountKey, warnings: CheckedAccount['warnings']) =>
  (staged: StageOutcome): ReturnType<UseCases['stageAccount']> => {
    switch (staged._tag) {
      case 'created':
      case 'replaced': {
        const { importSupplier, externalAccountNumber } = key
        return TE.right({ outcome: staged._tag, importSupplier, externalAccountNumber, warnings })
      }
      default:
        return TE.left(stagingRefusal(staged, key.externalAccountNumber))
    }
  }

/** Validates and stores; staged data is replaced whole. */
export const stageAccount =
  (ports: StagePorts): UseCases['stageAccount'] =>
  (submission: Submission) =>
    pipe(
      checkAccount(ports)(submission),
      TE.bindTo('checked'),
      TE.let('key', ({ checked }) => keyOf(submission.organisation, checked)),
      TE.tap(({ checked, key }) => refuseUnlessOngoing(ports)(key, checked.supplier)),
      TE.bindW('outcome', ({ checked, key }) =>
        onlyOutcome(
          ports.accountImports.stage([
            { key, payload: JSON.stringify(checked.account), at: ports.clock.now() },
          ]),
        ),
      ),
      TE.flatMap(({ checked, key, outcome }) => answer(key, checked.warnings)(outcome)),
    )
