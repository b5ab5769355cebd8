import { catalogue } from '../catalogue/index.js'
import { type CheckContext, type FieldError, severityInForce } from '../codec/findings.js'
import type { Codec } from '../codec/index.js'
import { readField } from '../codec/struct.js'
import type { Actor } from '../domain/audit-entry.js'
import type { ImportSupplier } from '../domain/import-supplier.js'
import { E, type Either, pipe } from '../fp.js'
import type { AccountPayload } from '../payloads/account.js'
import { importSupplierCode } from '../payloads/identifiers.js'
import type { ComparedData } from '../ports/account-imports.js'
import type { Ports } from '../ports/index.js'
import type { PortFailure, PortResult } from '../ports/port-failure.js'
import type { FoundSupplier, ImportSuppliers } from '../ports/registers.js'
import {
  check,
  checkAccountPayload,
  type Checked,
  type ExtraFinding,
  type Rule,
} from '../validation/check.js'
import { accountDocumentPaths, type LocatedPath } from '../validation/document-paths.js'
import { builtInSettings, initialSettings } from '../validation/supplier-settings.js'
import { documentKey } from '../values/document-path.js'
import { today } from '../values/instant.js'
import type {
  AccountFailedValidation,
  OperatorRefusal,
  RequestFailedValidation,
  UseCaseResult,
} from './errors.js'

/** Warnings do not refuse a request. */
export type WithWarnings = Readonly<{ warnings: readonly FieldError[] }>

/**
 * An unchecked payload. `text`: the JSON text that it was parsed from, if available; data that is accepted whole is staged as
 * this text, which saves serialising it. No object in the text may have a key twice, as the payload has only the last.
 * For a `validator`, which reads the text, `payload` needs only the fields that name the account, `documentPaths` are those of the
 * whole payload, and `gone` aborts when nobody waits for the answer any more. `errors`: those of an account that is not read further.
 */
export type SentPayload = Readonly<{
  payload: unknown
  text?: string
  documentPaths?: readonly LocatedPath[]
  gone?: AbortSignal
  errors?: readonly FieldError[]
}>

/**
 * `validator`: validates accounts, as `checkAccountPayload` does, where that delays no other work; undefined for an account that is
 * to be validated here.
 */
export type WithValidator = Readonly<{
  validator?: (
    sent: SentPayload,
    context: CheckContext,
    extra: readonly ExtraFinding[],
  ) => PortResult<Checked<AccountPayload>> | undefined
}>

/**
 * One request: `payload` is unchecked JSON (`AccountToSend` is the type of an account), and the use case checks it. `text` is
 * optional; it is the JSON text that `payload` was parsed from, and the two must agree. `organisation` is the code of an
 * organisation that `operator.createOrganisation` made: over HTTP that of the token; a program that embeds the core chooses it
 * and is responsible for it. `by` is the actor for the audit log; `unnamedActor` when absent.
 */
export type Submission = SentPayload & Readonly<{ organisation: string; by?: Actor | undefined }>

/**
 * The supplier that a payload names. `isMissing`: the code could be read, but the organisation has no such supplier. A
 * code that cannot be read is reported by its codec, not here.
 */
export type NamedSupplier = Readonly<{ supplier: FoundSupplier | undefined; isMissing: boolean }>

export const namedSupplier =
  ({ importSuppliers }: Readonly<{ importSuppliers: Pick<ImportSuppliers, 'find'> }>) =>
  async (organisation: string, payload: unknown, field: string): PortResult<NamedSupplier> => {
    const code = readField(importSupplierCode, payload, field)
    if (code === undefined) return E.right({ supplier: undefined, isMissing: false })
    return pipe(
      await importSuppliers.find(organisation, code),
      E.map((supplier) => ({ supplier, isMissing: supplier === undefined })),
    )
  }

const documentCode = 'path_does_not_exist_in_file_store'

const notPossible: readonly ExtraFinding[] = [{ path: [], code: 'document_check_not_possible' }]

/**
 * Checks whether the documents of a payload exist, each once, if the supplier's settings switch that check on: a finding for
 * each path without a document. If the storage fails, a check that only warns reports one warning; a check that refuses makes
 * the request fail as `unavailable`.
 */
export const checkDocuments =
  ({ documents }: Pick<Ports, 'documents'>) =>
  async (
    supplier: ImportSupplier | undefined,
    pathsOf: () => readonly LocatedPath[],
  ): PortResult<readonly ExtraFinding[]> => {
    const settings = supplier?.settings ?? builtInSettings
    const severity = severityInForce(documentCode, catalogue[documentCode], settings)
    if (severity === 'off') return E.right([])
    const placed = pathsOf().map(({ at, path }) => ({ at, key: documentKey(settings.documentRoot, path) }))
    // A path without a key cannot have a document, so the storage is not called for it.
    const keys = [...new Set(placed.flatMap(({ key }) => (key === undefined ? [] : [key])))]
    return pipe(
      keys.length === 0 || supplier === undefined
        ? E.right(new Set<string>())
        : await documents.existing(keys, supplier.organisation),
      E.map((existing) =>
        placed
          .filter(({ key }) => key === undefined || !existing.has(key))
          .map(({ at }): ExtraFinding => ({ path: at, code: documentCode })),
      ),
      E.orElse((failure) =>
        severity === 'warn' ? E.right(notPossible) : E.left({ ...failure, kind: 'unavailable' as const }),
      ),
    )
  }

/**
 * The input of the rules besides the payload: the supplier's settings (the initial ones if there is no such supplier) and today
 * in the service's time zone, read once for a request.
 */
export const checkContext = (
  { clock, settings }: Pick<Ports, 'clock' | 'settings'>,
  supplier: ImportSupplier | undefined,
): CheckContext => ({
  settings: supplier?.settings ?? initialSettings(settings.markets),
  defaultCountry: settings.defaultCountry,
  today: today(clock.now(), settings.timeZone),
})

/** `isWhole`: the account contains all that was sent. */
export type CheckedAccount = Readonly<{
  account: AccountPayload
  isWhole: boolean
  warnings: readonly FieldError[]
}>

/** The data to stage: the text that was sent, if the account was accepted whole. */
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

const accountIn = (checked: Checked<AccountPayload>): Either<AccountFailedValidation, CheckedAccount> =>
  pipe(
    checked,
    E.bimap(
      (failed): AccountFailedValidation => ({ _tag: 'AccountFailedValidation', ...failed }),
      ({ value, isWhole, warnings }) => ({ account: value, isWhole, warnings }),
    ),
  )

/** Validates a stored account payload by the settings of its supplier. */
export const validatedAccount =
  (ports: Pick<Ports, 'clock' | 'settings'>) =>
  (payload: unknown, supplier: ImportSupplier | undefined): Either<AccountFailedValidation, CheckedAccount> =>
    accountIn(checkAccountPayload(payload, checkContext(ports, supplier), [], ports.settings.markets))

/**
 * Checks every rule over an account payload, also whether its supplier and documents exist: all errors in one answer, in document
 * order. `found` is added to the findings.
 */
export const checkAccount =
  (ports: Pick<Ports, 'clock' | 'documents' | 'settings'> & WithValidator) =>
  async (
    sent: SentPayload,
    { supplier, isMissing }: NamedSupplier,
    found: readonly ExtraFinding[] = [],
  ): Promise<Either<AccountFailedValidation | PortFailure, CheckedAccount>> => {
    const { payload, documentPaths, errors } = sent
    if (errors !== undefined) return E.left({ _tag: 'AccountFailedValidation', errors, warnings: [] })
    const documents = await checkDocuments(ports)(
      supplier,
      () => documentPaths ?? accountDocumentPaths(payload),
    )
    if (E.isLeft(documents)) return documents
    const missing = isMissing ? [supplierIsMissingIn('import_supplier')] : []
    const extra = [...missing, ...found, ...documents.right]
    const context = checkContext(ports, supplier)
    const validated = ports.validator?.(sent, context, extra)
    if (validated === undefined)
      return accountIn(checkAccountPayload(payload, context, extra, ports.settings.markets))
    const checked = await validated
    return E.isLeft(checked) ? checked : accountIn(checked.right)
  }

type CheckedRequest<Request> = Readonly<{ request: Request; supplier: ImportSupplier }>

/** Checks a request that is no account by its codec and rules; `extra` is added to the findings. */
export const checkRequest = <Request>(
  codec: Codec<Request>,
  payload: unknown,
  context: CheckContext,
  extra: readonly ExtraFinding[] = [],
  rules?: Rule<Request>,
): Either<RequestFailedValidation, Readonly<{ value: Request; warnings: readonly FieldError[] }>> =>
  pipe(
    check(codec, payload, context, extra, rules),
    E.mapLeft((failed): RequestFailedValidation => ({ _tag: 'RequestFailedValidation', ...failed })),
  )

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
      checkRequest(
        codec,
        payload,
        checkContext(ports, supplier),
        isMissing ? [supplierIsMissingIn(field)] : [],
      ),
      // The supplier is defined: otherwise the request has an error.
      E.map(({ value }) => ({ request: value, supplier: supplier as ImportSupplier })),
    )

/** Finds the supplier and reads the request: errors of the request and a missing supplier are reported in one answer. */
export const checkNamedRequest =
  <Request>(
    ports: Parameters<typeof namedSupplier>[0] & Pick<Ports, 'clock' | 'settings'>,
    codec: Codec<Request>,
    field = supplierCode,
  ) =>
  async ({
    organisation,
    payload,
  }: Submission): UseCaseResult<RequestFailedValidation, CheckedRequest<Request>> =>
    pipe(
      await namedSupplier(ports)(organisation, payload, field),
      E.flatMap((named) => checkedRequest(ports, codec, field)(payload, named)),
    )

/** Reads an operator's input by a codec; reports all errors at once. */
export const checkInput =
  (ports: Pick<Ports, 'clock' | 'settings'>) =>
  <A>(codec: Codec<A>, input: unknown): Either<OperatorRefusal, A> =>
    pipe(
      check(codec, input, checkContext(ports, undefined)),
      E.bimap(
        ({ errors }): OperatorRefusal => ({ _tag: 'InputNotValid', errors }),
        ({ value }) => value,
      ),
    )

/** Turns the `undefined` of a port into the refusal `DoesNotExist`. */
export const orDoesNotExist = (subject: string, name: string) =>
  E.fromNullable<OperatorRefusal>({ _tag: 'DoesNotExist', subject, name })
