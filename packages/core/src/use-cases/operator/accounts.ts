import { required, struct } from '../../codec/index.js'
import type { AccountKey } from '../../domain/account-key.js'
import { type Account, removedDetails } from '../../domain/account.js'
import type { Actor } from '../../domain/audit-entry.js'
import { pipe, type TaskEither, TE } from '../../fp.js'
import { externalAccountNumber, importSupplierCode } from '../../payloads/identifiers.js'
import type { Ports } from '../../ports/index.js'
import type { Erased, HeldData } from '../../ports/personal-data.js'
import type { PortFailure } from '../../ports/port-failure.js'
import type { OperatorRefusal, UseCaseResult } from '../errors.js'
import { checkInput, orDoesNotExist } from './check-input.js'
import { supplierByCode } from './suppliers.js'

/** The operator's use cases for one account import. */
export type AccountUseCases = Readonly<{
  setSkipped(
    input: Readonly<{ importSupplier: string; externalAccountNumber: string; skipped: boolean }>,
  ): UseCaseResult<OperatorRefusal, Readonly<{ changed: boolean }>>
  showAccount(
    input: Readonly<{ importSupplier: string; externalAccountNumber: string }>,
  ): UseCaseResult<OperatorRefusal, Account>
  /** Everything that is held of a pair, staged, created or skipped; for whoever it is about. */
  exportSubject(
    input: Readonly<{ importSupplier: string; externalAccountNumber: string }>,
  ): UseCaseResult<OperatorRefusal, HeldData>
  /** How much `eraseSubject` would remove now. Changes nothing, and shows no value. */
  previewErasure(
    input: Readonly<{ importSupplier: string; externalAccountNumber: string }>,
  ): UseCaseResult<OperatorRefusal, Erased>
  /**
   * Removes what tells of a person, and says how much that was; what money and the register need stays (`PersonalData`). Refused
   * while the account is being created, or its e-mail is being sent. May be repeated.
   */
  eraseSubject(
    input: Readonly<{ importSupplier: string; externalAccountNumber: string }>,
  ): UseCaseResult<OperatorRefusal, Erased>
}>

type AccountPorts = Pick<
  Ports,
  'accountImports' | 'accounts' | 'clock' | 'importSuppliers' | 'personalData' | 'settings'
>

/** An account import, as the operator names it. */
type Named = Readonly<{ importSupplier: string; externalAccountNumber: string }>

const input = struct('account import', {
  importSupplier: required(importSupplierCode),
  externalAccountNumber: required(externalAccountNumber),
})

/** The pair as the operator names it; the organisation is the supplier's. */
const namedKey =
  (ports: AccountPorts) =>
  ({
    importSupplier,
    externalAccountNumber: number,
  }: Named): TaskEither<OperatorRefusal | PortFailure, AccountKey> =>
    pipe(
      checkInput(ports)(input, { importSupplier, externalAccountNumber: number }),
      TE.flatMap((named) =>
        pipe(
          supplierByCode(ports, named.importSupplier),
          TE.map(({ organisation }) => ({ organisation, ...named })),
        ),
      ),
    )

const subject = 'account import'

const heldData = (ports: AccountPorts, named: Named): TaskEither<OperatorRefusal | PortFailure, HeldData> =>
  pipe(
    namedKey(ports)(named),
    TE.flatMap((key) => ports.personalData.find(key)),
    TE.flatMap(orDoesNotExist(subject, named.externalAccountNumber)),
  )

const removableOf = ({ payload, account, email, answers, runFailures }: HeldData): Erased => ({
  removed: {
    payloads: payload === undefined ? 0 : 1,
    ...(account === undefined ? { rows: 0, transactions: 0 } : removedDetails(account.details)),
    emails: email === undefined ? 0 : 1,
    answers: answers.length,
    runFailures: runFailures.length,
  },
})

export const accountUseCases = (ports: AccountPorts, by: Actor): AccountUseCases => ({
  setSkipped: ({ skipped, ...named }) =>
    pipe(
      namedKey(ports)(named),
      TE.bindTo('key'),
      TE.bindW('outcome', ({ key }) => ports.accountImports.setSkipped(key, skipped, ports.clock.now(), by)),
      TE.flatMap(({ outcome }): TaskEither<OperatorRefusal | PortFailure, { changed: boolean }> => {
        if (outcome === 'already_imported') return TE.left({ _tag: 'AccountIsImported' })
        if (outcome === 'in_progress') return TE.left({ _tag: 'AccountImportInProgress' })
        return TE.right({ changed: outcome === 'changed' })
      }),
    ),
  showAccount: (named) =>
    pipe(
      namedKey(ports)(named),
      TE.flatMap((key) => ports.accounts.find(key)),
      TE.flatMap(orDoesNotExist('account', named.externalAccountNumber)),
    ),
  exportSubject: (named) => heldData(ports, named),
  previewErasure: (named) => pipe(heldData(ports, named), TE.map(removableOf)),
  eraseSubject: (named) =>
    pipe(
      namedKey(ports)(named),
      TE.flatMap((key) => ports.personalData.erase(key, ports.clock.now(), by)),
      TE.flatMap((erasure): TaskEither<OperatorRefusal, Erased> => {
        switch (erasure._tag) {
          case 'erased':
            return TE.right(erasure)
          case 'unknown':
            return TE.left({ _tag: 'DoesNotExist', subject, name: named.externalAccountNumber })
          case 'in_progress':
            return TE.left({ _tag: 'AccountImportInProgress' })
          case 'email_being_sent':
            return TE.left({ _tag: 'EmailIsBeingSent' })
        }
      }),
    ),
})
