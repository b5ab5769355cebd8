import { required, struct } from '../codec/index.js'
import type { AccountKey } from '../domain/account-import.js'
import { type Account, removedDetails } from '../domain/account.js'
import type { Actor } from '../domain/audit-entry.js'
import type { CustomerEmail } from '../domain/customer-email.js'
import type { ImportSupplier } from '../domain/import-supplier.js'
import { E, type Either, pipe } from '../fp.js'
import { externalAccountNumber, importSupplierCode } from '../payloads/identifiers.js'
import type { Ports } from '../ports/index.js'
import type { EmailList } from '../ports/outbox.js'
import type { Erased, HeldData } from '../ports/personal-data.js'
import type { PortFailure } from '../ports/port-failure.js'
import { checkInput, orDoesNotExist } from '../checking/check-payload.js'
import type { OperatorRefusal, UseCaseResult } from '../checking/errors.js'
import { inTurn, pagesOf } from '../lists/pages.js'
import type { About, Abouts } from './about.js'
import { supplierByCode } from './suppliers.js'

/** The operator's use cases for one account import, and for e-mails to customers. */
export type AccountUseCases = Readonly<{
  setSkipped(
    input: Readonly<{ importSupplier: string; externalAccountNumber: string; skipped: boolean }>,
  ): UseCaseResult<OperatorRefusal, Readonly<{ changed: boolean }>>
  showAccount(
    input: Readonly<{ importSupplier: string; externalAccountNumber: string }>,
  ): UseCaseResult<OperatorRefusal, Account>
  /** All stored data of an account import, staged, created or skipped; for the person that it is about. */
  exportSubject(
    input: Readonly<{ importSupplier: string; externalAccountNumber: string }>,
  ): UseCaseResult<OperatorRefusal, HeldData>
  /** Counts what `eraseSubject` would remove now. Changes nothing, and returns no values of the account. */
  previewErasure(
    input: Readonly<{ importSupplier: string; externalAccountNumber: string }>,
  ): UseCaseResult<OperatorRefusal, Erased>
  /**
   * Removes personal data, and counts it; keeps the data that accounting and the register need (`PersonalData`). Refused while
   * the account is being created, its e-mail is being sent, or the platform does not allow it. May be repeated.
   */
  eraseSubject(
    input: Readonly<{ importSupplier: string; externalAccountNumber: string }>,
  ): UseCaseResult<OperatorRefusal, Erased>
  /** Page by page; a Left ends the iteration. Without `importSupplier`: of all; without `list`: in every state. */
  listEmails(
    input: Readonly<{ importSupplier: string | undefined; list: EmailList | undefined }>,
  ): UseCaseResult<OperatorRefusal, AsyncIterable<Either<PortFailure, readonly CustomerEmail[]>>>
  /** Makes an e-mail that is parked or waits for a retry due at once. */
  retryEmail(id: string): UseCaseResult<OperatorRefusal, Readonly<{ retried: number }>>
  /** Makes all parked e-mails due at once. */
  retryParkedEmails(
    input: Readonly<{ importSupplier: string | undefined }>,
  ): UseCaseResult<OperatorRefusal, Readonly<{ retried: number }>>
}>

type AccountPorts = Pick<
  Ports,
  'accountImports' | 'accounts' | 'clock' | 'importSuppliers' | 'outbox' | 'personalData' | 'settings'
>

/** The input that names an account import. */
type Named = Readonly<{ importSupplier: string; externalAccountNumber: string }>

const ofAccount = ({ importSupplier, externalAccountNumber: number }: Named): About => ({
  of: ['supplier', importSupplier],
  externalAccountNumber: number,
})

export const accountsAbout: Abouts<AccountUseCases> = {
  setSkipped: ofAccount,
  showAccount: ofAccount,
  exportSubject: ofAccount,
  previewErasure: 'reads',
  eraseSubject: ofAccount,
  listEmails: ({ importSupplier }) => ({ of: ['supplier', importSupplier] }),
  retryEmail: (id) => ({ of: ['email', id], names: [id] }),
  retryParkedEmails: ({ importSupplier }) => ({ of: ['supplier', importSupplier] }),
}

const input = struct('account import', {
  importSupplier: required(importSupplierCode),
  externalAccountNumber: required(externalAccountNumber),
})

/** Does the work for the key of the named account import; its organisation is the supplier's. */
const ofNamed = async <A>(
  ports: AccountPorts,
  { importSupplier, externalAccountNumber: number }: Named,
  work: (key: AccountKey) => UseCaseResult<OperatorRefusal, A>,
): UseCaseResult<OperatorRefusal, A> => {
  const named = checkInput(ports)(input, { importSupplier, externalAccountNumber: number })
  if (E.isLeft(named)) return named
  const supplier = await supplierByCode(ports, named.right.importSupplier)
  if (E.isLeft(supplier)) return supplier
  return work({ organisation: supplier.right.organisation, ...named.right })
}

const subject = 'account import'

const heldData = (ports: AccountPorts, named: Named): UseCaseResult<OperatorRefusal, HeldData> =>
  ofNamed(ports, named, async (key) =>
    pipe(await ports.personalData.find(key), E.flatMap(orDoesNotExist(subject, named.externalAccountNumber))),
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

const pageLength = 500

const suppliersOf = async (
  { importSuppliers }: AccountPorts,
  code: string | undefined,
): UseCaseResult<OperatorRefusal, readonly ImportSupplier[]> =>
  code === undefined
    ? importSuppliers.listAll()
    : pipe(
        await supplierByCode({ importSuppliers }, code),
        E.map((supplier) => [supplier]),
      )

const emailsOf = (
  { outbox }: AccountPorts,
  suppliers: readonly ImportSupplier[],
  list: EmailList | undefined,
) =>
  inTurn(suppliers, ({ organisation, code: importSupplier }) =>
    pagesOf<CustomerEmail>((last, limit) => {
      const after = last?.key.externalAccountNumber
      return outbox.page({ organisation, importSupplier, list, after, limit })
    }, pageLength),
  )

export const accountUseCases = (ports: AccountPorts, by: Actor): AccountUseCases => ({
  setSkipped: ({ skipped, ...named }) =>
    ofNamed(ports, named, async (key) => {
      const outcome = await ports.accountImports.setSkipped(key, skipped, ports.clock.now(), by)
      if (E.isLeft(outcome)) return outcome
      if (outcome.right === 'already_imported') return E.left({ _tag: 'AccountIsImported' })
      if (outcome.right === 'in_progress') return E.left({ _tag: 'AccountImportInProgress' })
      return E.right({ changed: outcome.right === 'changed' })
    }),
  showAccount: (named) =>
    ofNamed(ports, named, async (key) =>
      pipe(await ports.accounts.find(key), E.flatMap(orDoesNotExist('account', named.externalAccountNumber))),
    ),
  exportSubject: (named) => heldData(ports, named),
  previewErasure: async (named) => pipe(await heldData(ports, named), E.map(removableOf)),
  eraseSubject: (named) =>
    ofNamed(ports, named, async (key) => {
      const erasure = await ports.personalData.erase(key, ports.clock.now(), by)
      if (E.isLeft(erasure)) return erasure
      switch (erasure.right._tag) {
        case 'erased':
          return E.right(erasure.right)
        case 'unknown':
          return E.left({ _tag: 'DoesNotExist', subject, name: named.externalAccountNumber })
        case 'in_progress':
          return E.left({ _tag: 'AccountImportInProgress' })
        case 'email_being_sent':
          return E.left({ _tag: 'EmailIsBeingSent' })
        case 'refused_by_platform':
          return E.left({ _tag: 'RefusedByPlatform' })
      }
    }),
  listEmails: async ({ importSupplier, list }) =>
    pipe(
      await suppliersOf(ports, importSupplier),
      E.map((suppliers) => emailsOf(ports, suppliers, list)),
    ),
  retryEmail: async (id) => {
    const changed = await ports.outbox.retry([id], ports.clock.now())
    if (E.isLeft(changed)) return changed
    if (changed.right > 0) return E.right({ retried: changed.right })
    const email = pipe(await ports.outbox.find(id), E.flatMap(orDoesNotExist('e-mail', id)))
    if (E.isLeft(email)) return email
    return E.left({ _tag: email.right.state._tag === 'sent' ? 'EmailIsSent' : 'EmailIsBeingSent' })
  },
  retryParkedEmails: async ({ importSupplier }) => {
    const suppliers = await suppliersOf(ports, importSupplier)
    if (E.isLeft(suppliers)) return suppliers
    let retried = 0
    for await (const page of emailsOf(ports, suppliers.right, 'parked')) {
      if (E.isLeft(page)) return page
      const ids = page.right.map(({ id }) => id)
      const changed = await ports.outbox.retry(ids, ports.clock.now())
      if (E.isLeft(changed)) return changed
      retried += changed.right
    }
    return E.right({ retried })
  },
})
