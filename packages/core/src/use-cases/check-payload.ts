import type { UseCaseResult } from './errors.js'
import { catalogue } from '../catalogue/index.js'
import { type CheckContext, type FieldError, severityInForce } from '../codec/findings.js'
import type { Codec } from '../codec/index.js'
import type { Actor } from '../domain/audit-entry.js'
import type { ImportSupplier } from '../domain/import-supplier.js'
import { E, type Either, pipe, type TaskEither, TE } from '../fp.js'
import type { AccountPayload } from '../payloads/account.js'
import { importSupplierCode } from '../payloads/identifiers.js'
import type { ProcessRequest } from '../payloads/requests.js'
import type { ComparedData } from '../ports/account-imports.js'
import type { Ports } from '../ports/index.js'
import type { PortFailure, PortResult } from '../ports/port-failure.js'
import type { FoundSupplier, ImportSuppliers } from '../ports/registers.js'
import {
  accountDocumentPaths,
  check,
  checkAccountPayload,
  type ExtraFinding,
  type LocatedPath,
  readField,
} from '../validation/check.js'
import { builtInSettings, initialSettings } from '../validation/supplier-settings.js'
import { documentKey } from '../values/document-path.js'
import { today } from '../values/instant.js'
import type { AccountFailedValidation, OperatorRefusal, RequestFailedValidation } from './errors.js'

/** Warnings do not stand in the way of a request. */
export type WithWarnings = Readonly<{ warnings: readonly FieldError[] }>

/**
 * A payload as it came, not yet checked. `text`: the JSON text that it was parsed from, where that is at hand; data that is
 * accepted whole is then staged as this text, which saves writing it anew. No object in it has a key twice: the payload would lack
 * what the text has.
 */
export type SentPayload = Readonly<{ payload: unknown; text?: string }>

/**
 * One request: `payload` is JSON as it came (`AccountToSend` is the type of an account), and the use case checks it. `text` may be
 * left out; it is the JSON text that `payload` was parsed from, and the two must agree. `organisation` is the code of one that
 * `operator.createOrganisation` made: over HTTP that of the token; a program that embeds the core names it, and answers for it.
 * `by` is who asks, for the audit log; `unnamedActor` when absent.
 */
export type Submission = SentPayload & Readonly<{ organisation: string; by?: Actor | undefined }>

/**
 * The supplier that a payload names. `isMissing`: the code could be read, but the organisation has no such supplier. A
 * code that cannot be read is reported by its codec, not here.
 */
export type NamedSupplier = Readonly<{ supplier: FoundSupplier | undefined; isMissing: boolean }>

export const namedSupplier =
  ({ importSuppliers }: Readonly<{ importSuppliers: Pick<ImportSuppliers, 'find'> }>) =>
  (organisation: string, payload: unknown, field: string): PortResult<NamedSupplier> => {
    const code = readField(importSupplierCode, payload, field)
    if (code === undefined) return TE.right({ supplier: undefined, isMissing: false })
    return pipe(
      importSuppliers.find(organisation, code),
      TE.map((supplier) => ({ supplier, isMissing: supplier === undefined })),
    )
  }

const documentCode = 'path_does_not_exist_in_file_store'

const notPossible: readonly ExtraFinding[] = [{ path: [], code: 'document_check_not_possible' }]

/**
 * Asks the document storage for the documents of a payload, each once, if the supplier's settings switch that check
 * on: an entry for each path without a document. When the storage fails, a check that only warns says so in one
 * warning; one that refuses makes the request fail as `unavailable`.
 */
export const checkDocuments =
  ({ documents }: Pick<Ports, 'documents'>) =>
  (
    supplier: ImportSupplier | undefined,
    pathsOf: () => readonly LocatedPath[],
  ): PortResult<readonly ExtraFinding[]> => {
    const settings = supplier?.settings ?? builtInSettings
    const severity = severityInForce(documentCode, catalogue[documentCode], settings)
    if (severity === 'off') return TE.right([])
    const placed = pathsOf().map(({ at, path }) => ({ at, key: documentKey(settings.documentRoot, path) }))
    // A path without a key cannot have a document, so the storage is not asked for it.
    const keys = [...new Set(placed.flatMap(({ key }) => (key === undefined ? [] : [key])))]
    return pipe(
      keys.length === 0 || supplier === undefined
        ? TE.right<never, ReadonlySet<string>>(new Set())
        : documents.existing(keys, supplier.organisation),
      TE.map((existing) =>
        placed
          .filter(({ key }) => key === undefined || !existing.has(key))
          .map(({ at }): ExtraFinding => ({ path: at, code: documentCode })),
      ),
      TE.orElse((failure) =>
        severity === 'warn' ? TE.right(notPossible) : TE.left({ ...failure, kind: 'unavailable' as const }),
      ),
    )
  }

/**
 * The input of the rules besides the payload: the supplier's settings (the built-in ones where there is no such supplier)
 * and the service's day, read once for a request.
 */
export const checkContext = (
  { clock, settings }: Pick<Ports, 'clock' | 'settings'>,
  supplier: ImportSupplier | undefined,
): CheckContext => ({
  settings: supplier?.settings ?? initialSettings(settings.markets),
  defaultCountry: settings.defaultCountry,
  today: today(clock.now(), settings.timeZone),
})

/** `isWhole`: nothing that was sent had to be left out. */
export type CheckedAccount = Readonly<{
  account: AccountPayload
  isWhole: boolean
  warnings: readonly FieldError[]
}>

/** The data of an account as it would be staged: the text that was sent, where it was accepted whole. */
export const dataToStage = (
  organisation: string,
  { account, isWhole }: CheckedAccount,
  text: string | undefined,
): Required<ComparedData> => ({
  key: {
    organisation,
    importSupplier: account.import_supplier,
    externalAccountNumber: account.external_account_number,
  },
  payload: (isWhole ? text : undefined) ?? JSON.stringify(account),
})

const supplierIsMissingIn = (field: string): ExtraFinding => ({
  path: [field],
  code: 'import_supplier_does_not_exist',
})

export const supplierIsMissing = supplierIsMissingIn('import_supplier')

/** An account payload validated by the settings of its supplier; `extra` joins the findings. */
export const validatedAccount =
  (ports: Pick<Ports, 'clock' | 'settings'>) =>
  (
    payload: unknown,
    supplier: ImportSupplier | undefined,
    extra: readonly ExtraFinding[] = [],
  ): Either<AccountFailedValidation, CheckedAccount> =>
    pipe(
      checkAccountPayload(payload, checkContext(ports, supplier), extra, ports.settings.markets),
      E.bimap(
        (failed): AccountFailedValidation => ({ _tag: 'AccountFailedValidation', ...failed }),
        ({ value, isWhole, warnings }) => ({ account: value, isWhole, warnings }),
      ),
    )

/**
 * Every rule over an account payload, also whether its supplier and documents exist: all errors come in one answer, in
 * document order.
 */
export const checkAccount =
  (ports: Pick<Ports, 'clock' | 'documents' | 'settings'>) =>
  async (
    payload: unknown,
    { supplier, isMissing }: NamedSupplier,
  ): Promise<Either<AccountFailedValidation | PortFailure, CheckedAccount>> => {
    const documents = await checkDocuments(ports)(supplier, () => accountDocumentPaths(payload))()
    if (E.isLeft(documents)) return documents
    const extra = isMissing ? [supplierIsMissing, ...documents.right] : documents.right
    return validatedAccount(ports)(payload, supplier, extra)
  }

export type CheckedRequest<Request = ProcessRequest> = Readonly<{
  request: Request
  supplier: ImportSupplier
}>

/** The field by which most requests name their supplier. */
const supplierCode = 'import_supplier_code'

/** Reads a request that is no account, by the settings of the supplier that was found for it. */
export const checkedRequest =
  <Request>(ports: Pick<Ports, 'clock' | 'settings'>, codec: Codec<Request>, field = supplierCode) =>
  (
    payload: unknown,
    { supplier, isMissing }: NamedSupplier,
  ): Either<RequestFailedValidation, CheckedRequest<Request>> =>
    pipe(
      check(codec, payload, checkContext(ports, supplier), isMissing ? [supplierIsMissingIn(field)] : []),
      E.bimap(
        (failed): RequestFailedValidation => ({ _tag: 'RequestFailedValidation', ...failed }),
        // It is there: otherwise the request has an error.
        ({ value }) => ({ request: value, supplier: supplier as ImportSupplier }),
      ),
    )

/** The same of a supplier that is looked up: errors of the request and that there is no such supplier come in one answer. */
export const checkNamedRequest =
  <Request>(
    ports: Parameters<typeof namedSupplier>[0] & Pick<Ports, 'clock' | 'settings'>,
    codec: Codec<Request>,
    field = supplierCode,
  ) =>
  ({ organisation, payload }: Submission): UseCaseResult<RequestFailedValidation, CheckedRequest<Request>> =>
    pipe(
      namedSupplier(ports)(organisation, payload, field),
      TE.flatMapEither((named) => checkedRequest(ports, codec, field)(payload, named)),
    )

/** Reads an operator's input by a codec; all that is wrong with it comes at once. */
export const checkInput =
  (ports: Pick<Ports, 'clock' | 'settings'>) =>
  <A>(codec: Codec<A>, input: unknown): TaskEither<OperatorRefusal, A> =>
    TE.fromEither(
      pipe(
        check(codec, input, checkContext(ports, undefined)),
        E.bimap(
          ({ errors }): OperatorRefusal => ({ _tag: 'InputNotValid', errors }),
          ({ value }) => value,
        ),
      ),
    )

/** Turns the `undefined` of a port into the refusal that the thing does not exist. */
export const orDoesNotExist = (subject: string, name: string) =>
  TE.fromNullable<OperatorRefusal>({ _tag: 'DoesNotExist', subject, name })
