import { externalAccountNumber, importSupplierCode } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import { cursorForm, cursorText, pageLimits } from './limits.js'

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

/** No parameters in the path or query; unknown ones in the query are ignored. */
const noParams = t.type({}, 'NoParams')

/** `<import-supplier-code>` */
const supplierParams = t.type({ import_supplier_code: importSupplierCode }, 'SupplierParams')

/** `<import-supplier-code>/<external-account-number>` */
const accountParams = t.type(
  { import_supplier_code: importSupplierCode, external_account_number: externalAccountNumber },
  'AccountParams',
)

const integerText = /^-?(?:0|[1-9][0-9]*)$/

/**
 * A whole number in a query parameter. Failures carry a code in the message slot: `invalid` (no plain decimal
 * integer, or the parameter is there twice), `min_value`, `max_value`.
 */
export class QueryIntegerType extends t.Type<number, string, unknown> {
  readonly min: number
  readonly max: number
  readonly form: string

  constructor(min: number, max: number) {
    super(
      `Integer${min}To${max}`,
      (value): value is number => Number.isInteger(value),
      (value, context) => {
        if (typeof value !== 'string' || !integerText.test(value)) return t.failure(value, context, 'invalid')
        const number = Number(value)
        if (number < min) return t.failure(value, context, 'min_value')
        return number > max ? t.failure(value, context, 'max_value') : t.success(number)
      },
      String,
    )
    this.min = min
    this.max = max
    this.form = `a whole number from ${min} to ${max}`
  }
}

const alphabet = /^[A-Za-z0-9_-]+$/

const read = (text: string): string | undefined => {
  if (!alphabet.test(text)) return undefined
  const inside = Buffer.from(text, 'base64url').toString('utf8')
  const number = inside.slice(cursorForm.length)
  // Writing it again must give the same text: this refuses broken UTF-8 and stray bits at the end.
  const genuine =
    inside.startsWith(cursorForm) && externalAccountNumber.is(number) && cursorText(number) === text
  return genuine ? number : undefined
}

class CursorType extends t.Type<string, string, unknown> {
  readonly form = 'a cursor as the Link header of the page before has it, or leave it out'

  constructor() {
    super(
      'Cursor',
      (value): value is string => typeof value === 'string',
      (value, context) => {
        const number = typeof value === 'string' ? read(value) : undefined
        return number === undefined ? t.failure(value, context, 'invalid') : t.success(number)
      },
      cursorText,
    )
  }
}

/** `limit` asks for a page; `cursor` continues after a page, and without `limit` with the largest page. */
const listQuery = t.partial(
  { limit: new QueryIntegerType(pageLimits.min, pageLimits.max), cursor: new CursorType() },
  'ListQuery',
)

/** Both are true when they are absent. */
const transactionsQuery = t.partial(
  {
    check_previously_added: new QueryBooleanType(true),
    force_add_to_current_statement: new QueryBooleanType(true),
  },
  'TransactionsQuery',
)

/** The values in the path or query of an address, by the name of their codec; none where an endpoint names no codec. */
export type Addresses = Readonly<{
  none: object
  supplier: Readonly<{ import_supplier_code: string }>
  account: Readonly<{ import_supplier_code: string; external_account_number: string }>
  list: Readonly<{ limit?: number; cursor?: string }>
  transactions: Readonly<{ check_previously_added?: boolean; force_add_to_current_statement?: boolean }>
}>

/** An endpoint names its codecs only, as the bundle of a client does without them. */
export const addressCodecs: Readonly<{ [Name in keyof Addresses]: t.Decoder<unknown, Addresses[Name]> }> = {
  none: noParams,
  supplier: supplierParams,
  account: accountParams,
  list: listQuery,
  transactions: transactionsQuery,
}
