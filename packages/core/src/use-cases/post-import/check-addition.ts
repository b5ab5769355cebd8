import type { FieldError } from '../../codec/field-error.js'
import type { Codec } from '../../codec/index.js'
import type { AccountKey } from '../../domain/account-key.js'
import type { Actor } from '../../domain/audit-entry.js'
import type { ImportSupplier } from '../../domain/import-supplier.js'
import { E, pipe, TE, type Either, type TaskEither } from '../../fp.js'
import type { AccountFields } from '../../payloads/account-fields.js'
import type { Ports } from '../../ports/index.js'
import type { PortFailure } from '../../ports/port-failure.js'
import { check, type ExtraFinding, type Rule } from '../../validation/check.js'
import type { LocatedPath } from '../../validation/document-paths.js'
import { checkContext } from '../check-context.js'
import { checkDocuments } from '../check-documents.js'
import type { RequestFailedValidation } from '../errors.js'
import { namedSupplier } from '../named-supplier.js'
import type { Submission } from '../signatures.js'

/** What distinguishes one kind of post-import request when it is validated. */
export type AdditionKind<Request extends AccountFields> = Readonly<{
  codec: Codec<Request>
  /** The rules over several fields of the request. */
  rules?: Rule<Request>
  /** The documents that a payload names. */
  documentPaths?: (payload: unknown) => readonly LocatedPath[]
}>

/** A request without errors; `validate` validates it again, together with entries that were found later. */
export type CheckedAddition<Request> = Readonly<{
  request: Request
  key: AccountKey
  supplier: ImportSupplier | undefined
  /** Who asks. */
  by: Actor | undefined
  warnings: readonly FieldError[]
  validateWith(extra: readonly ExtraFinding[]): Either<RequestFailedValidation, unknown>
}>

/**
 * Checks all of a request that can be checked without the account; all errors come in one answer. `extra`: entries
 * that only this kind of request has. A supplier that does not exist is not reported here: the request is answered
 * as if the account did not exist.
 */
export const checkAddition =
  (ports: Pick<Ports, 'importSuppliers' | 'clock' | 'documents' | 'settings'>) =>
  <Request extends AccountFields>(
    kind: AdditionKind<Request>,
    { organisation, payload, by }: Submission,
    extra: readonly ExtraFinding[] = [],
  ): TaskEither<RequestFailedValidation | PortFailure, CheckedAddition<Request>> =>
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
