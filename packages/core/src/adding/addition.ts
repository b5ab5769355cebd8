import type { FieldError } from '../codec/findings.js'
import type { Codec } from '../codec/index.js'
import type { AccountStatement } from '../domain/account-details.js'
import { decideNotes, noteContent, type NoteOutcome } from '../domain/account-from-payload.js'
import type { AccountKey } from '../domain/account-import.js'
import type { AddedItems } from '../domain/account.js'
import { type Actor, type AuditEvent, unnamedActor } from '../domain/audit-entry.js'
import type { ImportSupplier } from '../domain/import-supplier.js'
import { E, type Either, pipe } from '../fp.js'
import {
  historicalStatementsRequest,
  type HistoricalStatementsRequest,
  notesRequest,
  type NotesRequest,
} from '../payloads/requests.js'
import type { LockedAccount } from '../ports/accounts.js'
import type { Ports } from '../ports/index.js'
import type { PortFailure } from '../ports/port-failure.js'
import { hashOf } from '../ports/secrets.js'
import type { TransactionalStores } from '../ports/unit-of-work.js'
import { historicalStatementRules, noteRules } from '../rules/account-rules.js'
import { below } from '../rules/rule.js'
import type { ExtraFinding, Rule } from '../validation/check.js'
import { type LocatedPath, noteDocumentPaths, statementDocumentPaths } from '../validation/document-paths.js'
import { toMoney } from '../values/decimal.js'
import { toTheSecond } from '../values/instant.js'
import {
  checkContext,
  checkDocuments,
  checkRequest,
  namedSupplier,
  type Submission,
  type WithWarnings,
} from '../checking/check-payload.js'
import type {
  AccountNotFound,
  RefusedByPlatform,
  RequestFailedValidation,
  SupplierNotOngoing,
  UseCaseResult,
} from '../checking/errors.js'
import { inSequence } from '../lists/lists.js'

/** The refusals of every request that adds data to a created account. */
export type AdditionRefused =
  | RequestFailedValidation
  | SupplierNotOngoing
  | AccountNotFound
  | RefusedByPlatform

const accountNotFound: AccountNotFound = { _tag: 'AccountNotFound' }

/**
 * Refuses suppliers that are not ongoing, without reading the account, and accounts that do not exist; else does the work on the
 * locked account in one unit of work, so that a Left of the work changes nothing. Because of the lock, the later of two equal
 * requests finds the additions of the earlier one.
 */
export const onCreatedAccount =
  ({ unitOfWork }: Pick<Ports, 'unitOfWork'>) =>
  async <Refused, A>(
    { supplier, key }: CheckedAddition<unknown>,
    work: (account: LockedAccount, stores: TransactionalStores) => UseCaseResult<Refused, A>,
  ): UseCaseResult<SupplierNotOngoing | AccountNotFound | Refused, A> => {
    if (supplier === undefined) return E.left(accountNotFound)
    if (supplier.status !== 'ongoing') return E.left({ _tag: 'SupplierNotOngoing' })
    return unitOfWork.run(key.organisation, async (stores): UseCaseResult<AccountNotFound | Refused, A> => {
      const account = await stores.accounts.lock(key)
      if (E.isLeft(account)) return account
      return account.right === undefined ? E.left(accountNotFound) : work(account.right, stores)
    })
  }

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
  async <Request extends AccountFields>(
    kind: AdditionKind<Request>,
    { organisation, payload, by }: Submission,
    extra: readonly ExtraFinding[] = [],
  ): UseCaseResult<RequestFailedValidation, CheckedAddition<Request>> => {
    const named = await namedSupplier(ports)(organisation, payload, 'import_supplier')
    if (E.isLeft(named)) return named
    const { supplier } = named.right
    const documents = await checkDocuments(ports)(supplier, () => kind.documentPaths?.(payload) ?? [])
    if (E.isLeft(documents)) return documents
    const context = checkContext(ports, supplier)
    const validateWith = (found: readonly ExtraFinding[]) =>
      checkRequest(kind.codec, payload, context, [...extra, ...documents.right, ...found], kind.rules)
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
  }

const keyOf = (organisation: string, fields: AccountFields): AccountKey => ({
  organisation,
  importSupplier: fields.import_supplier,
  externalAccountNumber: fields.external_account_number,
})

type RecordPorts = Pick<Ports, 'clock' | 'secrets'>

/**
 * Ends an addition, in the unit of work of its items; does nothing where there are none. Tells the platform of the items, and
 * records one audit entry with the hash of what was added.
 */
export const endAddition =
  (ports: RecordPorts, { key, by = unnamedActor }: Pick<CheckedAddition<unknown>, 'key' | 'by'>) =>
  async (
    { accounts, auditTrail }: Pick<TransactionalStores, 'accounts' | 'auditTrail'>,
    account: LockedAccount,
    what: AuditEvent,
    added: readonly unknown[],
    items: Partial<AddedItems>,
  ): UseCaseResult<RefusedByPlatform, void> => {
    if (added.length === 0) return E.right(undefined)
    const told = (await accounts.itemsAdded?.(account, items)) ?? E.right('agreed')
    if (E.isLeft(told)) return told
    if (told.right === 'refused_by_platform') return E.left({ _tag: 'RefusedByPlatform' })
    const subject = account.platformAccountNumber
    const after = await hashOf(ports, JSON.stringify(added))
    if (E.isLeft(after)) return after
    return auditTrail.record([{ ...key, at: ports.clock.now(), what, by, subject, after: after.right }])
  }

const inNotes = below(undefined, 'notes')

const notes: AdditionKind<NotesRequest> = {
  codec: notesRequest,
  rules: ({ notes }, findings) => noteRules(notes, inNotes, findings),
  documentPaths: noteDocumentPaths,
}

/** Adds the notes of the request that the account does not have yet (`decideNotes`). */
const addNotes =
  (ports: Pick<Ports, 'importSuppliers' | 'clock' | 'documents' | 'secrets' | 'settings' | 'unitOfWork'>) =>
  async (
    submission: Submission,
  ): UseCaseResult<AdditionRefused, Readonly<{ notes: readonly NoteOutcome[] }> & WithWarnings> => {
    const checked = await checkAddition(ports)(notes, submission)
    if (E.isLeft(checked)) return checked
    const { request, warnings } = checked.right
    const now = toTheSecond(ports.clock.now())
    return onCreatedAccount(ports)(checked.right, async (account, stores) => {
      const contents = [...new Set(request.notes.map(noteContent))]
      const known = await stores.accountNotes.withContents(account, contents)
      if (E.isLeft(known)) return known
      const { added, outcomes } = decideNotes(request.notes, now, known.right)
      return pipe(
        await inSequence<RefusedByPlatform | PortFailure, void>(
          () => stores.accountNotes.add(account, added),
          () =>
            endAddition(ports, checked.right)(stores, account, 'notes_added', added, {
              notes: added.map(({ note }) => note),
            }),
        ),
        E.map(() => ({ notes: outcomes, warnings })),
      )
    })
  }

const inStatements = below(undefined, 'statements')

const statements: AdditionKind<HistoricalStatementsRequest> = {
  codec: historicalStatementsRequest,
  rules: ({ statements }, findings) => historicalStatementRules(statements, inStatements, findings),
  documentPaths: (payload) =>
    statementDocumentPaths(payload, historicalStatementsRequest.fields.statements.codec),
}

/** One error for each statement whose id the account has. */
const validateIds = (
  { request, validateWith }: CheckedAddition<HistoricalStatementsRequest>,
  existing: ReadonlySet<string>,
): Either<RequestFailedValidation, unknown> =>
  validateWith(
    request.statements.flatMap(({ statement_id }, index) =>
      existing.has(statement_id)
        ? [
            {
              path: ['statements', index, 'statement_id'],
              code: 'historical_statement_already_exists' as const,
            },
          ]
        : [],
    ),
  )

/** A historical statement as it is kept. */
const statementFromPayload = ({
  gross_amount,
  ...rest
}: HistoricalStatementsRequest['statements'][number]): AccountStatement => ({
  ...rest,
  ...(gross_amount !== undefined && { gross_amount: toMoney(gross_amount) }),
})

type StatementsAdded = UseCaseResult<
  AdditionRefused,
  Readonly<{ request: HistoricalStatementsRequest }> & WithWarnings
>

/** Stores all statements of the request, or none. */
const addHistoricalStatements =
  (ports: Pick<Ports, 'importSuppliers' | 'clock' | 'documents' | 'secrets' | 'settings' | 'unitOfWork'>) =>
  async (submission: Submission): StatementsAdded => {
    const checked = await checkAddition(ports)(statements, submission)
    if (E.isLeft(checked)) return checked
    const { request, warnings } = checked.right
    return onCreatedAccount(ports)(checked.right, async (account, stores): StatementsAdded => {
      const ids = request.statements.map(({ statement_id }) => statement_id)
      const existing = await stores.accountStatements.existingIds(account, ids)
      if (E.isLeft(existing)) return existing
      const isNew = validateIds(checked.right, existing.right)
      if (E.isLeft(isNew)) return isNew
      const added = request.statements.map(statementFromPayload)
      return pipe(
        await inSequence<RefusedByPlatform | PortFailure, void>(
          () => stores.accountStatements.add(account, added),
          () =>
            endAddition(ports, checked.right)(stores, account, 'statements_added', request.statements, {
              statements: added,
            }),
        ),
        E.map(() => ({ request, warnings })),
      )
    })
  }

/** The additions that need neither a payment vendor nor an idempotency record. */
export const additionUseCases = (ports: Ports) => ({
  addNotes: addNotes(ports),
  addHistoricalStatements: addHistoricalStatements(ports),
})
