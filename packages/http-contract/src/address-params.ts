import { externalAccountNumber, importSupplierCode } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'

/**
 * `true` or `false`, in any case, in a query parameter. Failures carry the code `invalid` in the message slot: any
 * other text, or the parameter is there twice.
 */
export class QueryBooleanType extends t.Type<boolean, string, unknown> {
  readonly byDefault: boolean
  readonly form = 'true or false'

  /** `byDefault`: what it means that the parameter is absent, for documentation. */
  constructor(byDefault: boolean) {
    super(
      'BooleanText',
      (value): value is boolean => typeof value === 'boolean',
      (value, context) => {
        const text = typeof value === 'string' ? value.toLowerCase() : undefined
        return text === 'true' || text === 'false'
          ? t.success(text === 'true')
          : t.failure(value, context, 'invalid')
      },
      String,
    )
    this.byDefault = byDefault
  }
}

export const queryBoolean = (byDefault: boolean): QueryBooleanType => new QueryBooleanType(byDefault)

/** No parameters in the path or query; unknown ones in the query are ignored. */
export const noParams = t.type({}, 'NoParams')

/** `<import-supplier-code>` */
export const supplierParams = t.type({ import_supplier_code: importSupplierCode }, 'SupplierParams')

/** `<import-supplier-code>/<external-account-number>` */
export const accountParams = t.type(
  { import_supplier_code: importSupplierCode, external_account_number: externalAccountNumber },
  'AccountParams',
)
