import type { FieldError } from '../../codec/findings.js'
import type { Codec } from '../../codec/index.js'
import type { AccountStatement } from '../../domain/account-details.js'
import { decideNotes, noteContent, type NoteOutcome } from '../../domain/account-from-payload.js'
import type { AccountKey } from '../../domain/account-import.js'
import { type Actor, type AuditEvent, unnamedActor } from '../../domain/audit-entry.js'
import type { ImportSupplier } from '../../domain/import-supplier.js'
import { E, type Either, pipe, type TaskEither, TE } from '../../fp.js'
import {
  historicalStatementsRequest,
  type HistoricalStatementsRequest,
  notesRequest,
  type NotesRequest,
} from '../../payloads/requests.js'
import type { LockedAccount } from '../../ports/accounts.js'
import type { Ports } from '../../ports/index.js'
import type { PortResult } from '../../ports/port-failure.js'
import { hashOf } from '../../ports/secrets.js'
import type { TransactionalStores } from '../../ports/unit-of-work.js'
import { historicalStatementRules, noteRules } from '../../rules/account-rules.js'
import { below } from '../../rules/rule.js'
import {
  check,
  type ExtraFinding,
  type LocatedPath,
  noteDocumentPaths,
  type Rule,
  statementDocumentPaths,
} from '../../validation/check.js'
import { toMoney } from '../../values/decimal.js'
import { toTheSecond } from '../../values/instant.js'
import {
  checkContext,
  checkDocuments,
  namedSupplier,
  type Submission,
  type WithWarnings,
} from '../check-payload.js'
import type {
  AccountNotFound,
  RequestFailedValidation,
  SupplierNotOngoing,
  UseCaseResult,
} from '../errors.js'

/** The refusals of every request that adds data to a created account. */
export type AdditionRefused = RequestFailedValidation | SupplierNotOngoing | AccountNotFound

const accountNotFound: AccountNotFound = { _tag: 'AccountNotFound' }

/** Refuses an unknown supplier, and one that is not ongoing, without reading the account. */
const refuseUnlessOngoing = ({
  supplier,
}: CheckedAddition<unknown>): TaskEither<SupplierNotOngoing | AccountNotFound, void> => {
  if (supplier === undefined) return TE.left(accountNotFound)
  return supplier.status === 'ongoing' ? TE.right(undefined) : TE.left({ _tag: 'SupplierNotOngoing' })
}

/**
 * Refuses suppliers that are not ongoing and accounts that do not exist; else does the work on the locked account in
 * one unit of work, so that a Left of the work changes nothing. Because of the lock, the later of two equal requests
 * finds the additions of the earlier one.
 */
export const onCreatedAccount =
  ({ unitOfWork }: Pick<Ports, 'unitOfWork'>) =>
  <Refused, A>(
    checked: CheckedAddition<unknown>,
    work: (account: LockedAccount, stores: TransactionalStores) => UseCaseResult<Refused, A>,
  ): UseCaseResult<SupplierNotOngoing | AccountNotFound | Refused, A> =>
    pipe(
      refuseUnlessOngoing(checked),
      TE.flatMap(() =>
        unitOfWork.run((stores) =>
          pipe(
            stores.accounts.lock(checked.key),
            TE.flatMap((account): UseCaseResult<AccountNotFound | Refused, A> =>
              account === undefined ? TE.left(accountNotFound) : work(account, stores),
            ),
          ),
        ),
      ),
    )

/** The fields that all post-import requests have. */
type AccountFields = Readonly<{ import_supplier: string; external_account_number: string }>

/** The parts of validation that differ between kinds of post-import requests. */
export type AdditionKind<Request extends AccountFields> = Readonly<{
  codec: Codec<Request>
  /** The rules over several fields of the request. */
  rules?: Rule<Request>
  /** The documents that a payload names. */
  documentPaths?: (payload: unknown) => readonly LocatedPath[]
}>

/** A request without errors; `validateWith` validates it again, together with findings that were made later. */
export type CheckedAddition<Request> = Readonly<{
  request: Request
  key: AccountKey
  supplier: ImportSupplier | undefined
  by: Actor | undefined
  warnings: readonly FieldError[]
  validateWith(extra: readonly ExtraFinding[]): Either<RequestFailedValidation, unknown>
}>

/**
 * Checks a request as far as possible without the account; all errors in one answer. `extra`: findings that only this kind of
 * request has. A supplier that does not exist is not reported here: the request is answered as if the account did not exist.
 */
export const checkAddition =
  (ports: Pick<Ports, 'importSuppliers' | 'clock' | 'documents' | 'settings'>) =>
  <Request extends AccountFields>(
    kind: AdditionKind<Request>,
    { organisation, payload, by }: Submission,
    extra: readonly ExtraFinding[] = [],
  ): UseCaseResult<RequestFailedValidation, CheckedAddition<Request>> =>
    pipe(
      namedSupplier(ports)(organisation, payload, 'import_supplier'),
      TE.bind('documents', ({ supplier }) =>
        checkDocuments(ports)(supplier, () => kind.documentPaths?.(payload) ?? []),
      ),
      TE.flatMapEither(({ supplier, documents }) => {
        const context = checkContext(ports, supplier)
        const validateWith = (found: readonly ExtraFinding[]) =>
          pipe(
            check(kind.codec, payload, context, [...extra, ...documents, ...found], kind.rules),
            E.mapLeft((failed): RequestFailedValidation => ({ _tag: 'RequestFailedValidation', ...failed })),
          )
        return pipe(
          validateWith([]),
          E.map(({ value, warnings }) => ({
            request: value,
            key: keyOf(organisation, value),
            supplier,
            by,
            warnings,
            validateWith,
          })),
        )
      }),
    )

const keyOf = (organisation: string, fields: AccountFields): AccountKey => ({
  organisation,
  importSupplier: fields.import_supplier,
  externalAccountNumber: fields.external_account_number,
})

type RecordPorts = Pick<Ports, 'clock' | 'secrets'>

/**
 * Records an addition as one audit entry with a hash of the added items, in the unit of work that adds them; none for no items.
 */
export const recordAddition =
  (ports: RecordPorts, { key, by = unnamedActor }: Pick<CheckedAddition<unknown>, 'key' | 'by'>) =>
  (
    { auditTrail }: Pick<TransactionalStores, 'auditTrail'>,
    { platformAccountNumber: subject }: LockedAccount,
    what: AuditEvent,
    added: readonly unknown[],
  ): PortResult<void> =>
    added.length === 0
      ? TE.right(undefined)
      : pipe(
          hashOf(ports, JSON.stringify(added)),
          TE.flatMap((after) =>
            auditTrail.record([{ ...key, at: ports.clock.now(), what, by, subject, after }]),
          ),
        )

const inNotes = below(undefined, 'notes')

const notes: AdditionKind<NotesRequest> = {
  codec: notesRequest,
  rules: ({ notes }, findings) => noteRules(notes, inNotes, findings),
  documentPaths: noteDocumentPaths,
}

/** Adds the notes of the request that the account does not have yet (`decideNotes`). */
const addNotes =
  (ports: Pick<Ports, 'importSuppliers' | 'clock' | 'documents' | 'secrets' | 'settings' | 'unitOfWork'>) =>
  (
    submission: Submission,
  ): UseCaseResult<AdditionRefused, Readonly<{ notes: readonly NoteOutcome[] }> & WithWarnings> =>
    pipe(
      checkAddition(ports)(notes, submission),
      TE.flatMap((checked) => {
        const { notes } = checked.request
        const now = toTheSecond(ports.clock.now())
        return pipe(
          onCreatedAccount(ports)(checked, (account, stores) =>
            pipe(
              stores.accountNotes.withContents(account, [...new Set(notes.map(noteContent))]),
              TE.map((known) => decideNotes(notes, now, known)),
              TE.tap(({ added }) => stores.accountNotes.add(account, added)),
              TE.tap(({ added }) => recordAddition(ports, checked)(stores, account, 'notes_added', added)),
            ),
          ),
          TE.map(({ outcomes }) => ({ notes: outcomes, warnings: checked.warnings })),
        )
      }),
    )

const inStatements = below(undefined, 'statements')

const statements: AdditionKind<HistoricalStatementsRequest> = {
  codec: historicalStatementsRequest,
  rules: ({ statements }, findings) => historicalStatementRules(statements, inStatements, findings),
  documentPaths: (payload) =>
    statementDocumentPaths(payload, historicalStatementsRequest.fields.statements.codec),
}

/** One error for each statement whose id the account has. */
const refuseRepeats =
  ({ request, validateWith }: CheckedAddition<HistoricalStatementsRequest>) =>
  (existing: ReadonlySet<string>): TaskEither<RequestFailedValidation, unknown> => {
    const repeats = request.statements.flatMap(({ statement_id }, index) =>
      existing.has(statement_id)
        ? [
            {
              path: ['statements', index, 'statement_id'],
              code: 'historical_statement_already_exists' as const,
            },
          ]
        : [],
    )
    return TE.fromEither(validateWith(repeats))
  }

/** A historical statement as it is kept. */
const statementFromPayload = ({
  gross_amount,
  ...rest
}: HistoricalStatementsRequest['statements'][number]): AccountStatement => ({
  ...rest,
  ...(gross_amount !== undefined && { gross_amount: toMoney(gross_amount) }),
})

/** Stores all statements of the request, or none. */
const addHistoricalStatements =
  (ports: Pick<Ports, 'importSuppliers' | 'clock' | 'documents' | 'secrets' | 'settings' | 'unitOfWork'>) =>
  (
    submission: Submission,
  ): UseCaseResult<AdditionRefused, Readonly<{ request: HistoricalStatementsRequest }> & WithWarnings> =>
    pipe(
      checkAddition(ports)(statements, submission),
      TE.flatMap((checked) => {
        const { request, warnings } = checked
        return pipe(
          onCreatedAccount(ports)(checked, (account, stores) =>
            pipe(
              stores.accountStatements.existingIds(
                account,
                request.statements.map(({ statement_id }) => statement_id),
              ),
              TE.flatMap(refuseRepeats(checked)),
              TE.flatMap(() =>
                stores.accountStatements.add(account, request.statements.map(statementFromPayload)),
              ),
              TE.flatMap(() =>
                recordAddition(ports, checked)(stores, account, 'statements_added', request.statements),
              ),
            ),
          ),
          TE.map(() => ({ request, warnings })),
        )
      }),
    )

/** The additions that need neither a payment vendor nor an idempotency record. */
export const additionUseCases = (ports: Ports) => ({
  addNotes: addNotes(ports),
  addHistoricalStatements: addHistoricalStatements(ports),
})
