import type { FieldError } from '../codec/field-error.js'
import type { ImportSupplier } from '../domain/import-supplier.js'
import { E, type Either, pipe } from '../fp.js'
import type { AccountPayload } from '../payloads/account.js'
import type { Ports } from '../ports/index.js'
import type { PortFailure } from '../ports/port-failure.js'
import { checkAccountPayload, type CheckContext, type ExtraFinding } from '../validation/check.js'
import { accountDocumentPaths } from '../validation/document-paths.js'
import { initialSettings } from '../validation/initial-settings.js'
import { today } from '../values/today.js'
import { checkDocuments } from './check-documents.js'
import type { AccountFailedValidation } from './errors.js'
import type { NamedSupplier } from './named-supplier.js'

/**
 * What the rules need besides the payload: the supplier's settings (the built-in ones where there is no such supplier)
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

export const supplierIsMissing: ExtraFinding = {
  path: ['import_supplier'],
  code: 'import_supplier_does_not_exist',
}

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
