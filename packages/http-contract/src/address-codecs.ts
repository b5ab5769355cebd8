import type { FailurePlace, OpenPlace, RunPlace } from '@account-import/core'
import { isInstant } from '@account-import/core/adapter-kit'
import {
  externalAccountNumber,
  importRunId,
  importSupplierCode,
  operationsTeamName,
} from '@account-import/core/payloads'
import * as t from 'io-ts'
import {
  asIs,
  cursorForm,
  cursorText,
  failurePlaceText,
  importRunLineHeader,
  openPlaceText,
  pageLimits,
  runPlaceText,
} from './limits.js'

/**
 * `true` or `false`, in any case, in a query parameter. Any other text, or a repeated parameter, fails with the code
 * `invalid` in the message slot.
 */
export class QueryBooleanType extends t.Type<boolean, string, unknown> {
  readonly byDefault: boolean
  readonly form = 'true or false'

  /** `byDefault`: the value of an absent parameter, for the documentation. */
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

/** No parameters in the path or query. */
const noParams = t.type({}, 'NoParams')

/** `<import-supplier-code>` */
const supplierParams = t.type({ import_supplier_code: importSupplierCode }, 'SupplierParams')

/** `<import-supplier-code>/<external-account-number>` */
const accountParams = t.type(
  { import_supplier_code: importSupplierCode, external_account_number: externalAccountNumber },
  'AccountParams',
)

/** `<import-run>` */
const runParams = t.type({ import_run: importRunId }, 'RunParams')

const integerText = /^-?(?:0|[1-9][0-9]*)$/

/**
 * A whole number in a query parameter. Failures have a code in the message slot: `invalid` (no plain decimal integer, or a
 * repeated parameter), `min_value`, `max_value`.
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

/** Decodes a cursor to the text inside it; `undefined` for a text that is no cursor. */
const inside = (text: string): string | undefined => {
  if (!alphabet.test(text)) return undefined
  const whole = Buffer.from(text, 'base64url').toString('utf8')
  const place = whole.slice(cursorForm.length)
  // Encoding the place again must give the same text: this check refuses broken UTF-8 and stray bits at the end.
  return whole.startsWith(cursorForm) && cursorText(place) === text ? place : undefined
}

class CursorType<Place> extends t.Type<Place, string, unknown> {
  readonly form = 'a cursor from the Link header of the previous page, or no cursor'

  /** `read`: decodes the text inside a cursor; `undefined` for a text that is no place. */
  constructor(read: (text: string) => Place | undefined, textOf: (place: Place) => string) {
    super(
      'Cursor',
      (_value): _value is Place => true,
      (value, context) => {
        const text = typeof value === 'string' ? inside(value) : undefined
        const place = text === undefined ? undefined : read(text)
        return place === undefined ? t.failure(value, context, 'invalid') : t.success(place)
      },
      (place) => cursorText(textOf(place)),
    )
  }
}

const numberCursor = new CursorType<string>(
  (text) => (externalAccountNumber.is(text) ? text : undefined),
  asIs,
)

const runCursor = new CursorType<RunPlace>((text) => {
  const [startedAt = '', id = '', ...rest] = text.split(' ')
  return isInstant(startedAt) && importRunId.is(id) && rest.length === 0 ? { startedAt, id } : undefined
}, runPlaceText)

const failureCursor = new CursorType<FailurePlace>((text) => {
  const [, step, line, number = ''] = /^(stage|process) (0|[1-9][0-9]{0,14}) (.*)$/s.exec(text) ?? []
  if (step === undefined || (number !== '' && !externalAccountNumber.is(number))) return undefined
  return { step: step as FailurePlace['step'], line: Number(line), externalAccountNumber: number }
}, failurePlaceText)

const openCursor = new CursorType<OpenPlace>((text) => {
  const [, line] = /^ ([A-Za-z0-9]{1,64} (?:0|[1-9][0-9]{0,14}))$/.exec(text) ?? []
  if (line !== undefined) return { externalAccountNumber: '', line }
  return externalAccountNumber.is(text) ? { externalAccountNumber: text, line: '' } : undefined
}, openPlaceText)

/** `limit` requests a page; `cursor` requests the page after another one, of the largest size if there is no `limit`. */
const limit = new QueryIntegerType(pageLimits.min, pageLimits.max)
const listQuery = t.partial({ limit, cursor: numberCursor }, 'ListQuery')

/** `import_supplier`: only runs of this supplier. */
const runsQuery = t.partial({ limit, cursor: runCursor, import_supplier: importSupplierCode }, 'RunsQuery')

const failuresQuery = t.partial({ limit, cursor: failureCursor }, 'FailuresQuery')

const openQuery = t.partial({ limit, cursor: openCursor }, 'OpenFailuresQuery')

/** Each parameter is true when absent. */
const transactionsQuery = t.partial(
  {
    check_previously_added: new QueryBooleanType(true),
    force_add_to_current_statement: new QueryBooleanType(true),
  },
  'TransactionsQuery',
)

/** The team that the accounts of a bulk import are created under. */
const teamQuery = t.type({ operations_team_name: operationsTeamName }, 'TeamQuery')

/** The decoded values of a path or query, by the name of their codec. `none`: for an endpoint that names no codec. */
export type Addresses = Readonly<{
  none: object
  supplier: Readonly<{ import_supplier_code: string }>
  account: Readonly<{ import_supplier_code: string; external_account_number: string }>
  list: Readonly<{ limit?: number; cursor?: string }>
  run: Readonly<{ import_run: string }>
  runs: Readonly<{ limit?: number; cursor?: RunPlace; import_supplier?: string }>
  failures: Readonly<{ limit?: number; cursor?: FailurePlace }>
  open: Readonly<{ limit?: number; cursor?: OpenPlace }>
  team: Readonly<{ operations_team_name: string }>
  transactions: Readonly<{ check_previously_added?: boolean; force_add_to_current_statement?: boolean }>
}>

/**
 * An endpoint holds only the names of its codecs, so that the bundle of a client leaves the codecs out. `props`: the codecs of the
 * parameters by name.
 */
export const addressCodecs: Readonly<{
  [Name in keyof Addresses]: t.Decoder<unknown, Addresses[Name]> &
    Readonly<{ props: Readonly<Record<string, unknown>> }>
}> = {
  none: noParams,
  supplier: supplierParams,
  account: accountParams,
  list: listQuery,
  run: runParams,
  runs: runsQuery,
  failures: failuresQuery,
  open: openQuery,
  team: teamQuery,
  transactions: transactionsQuery,
}

/** The largest line number in the source of a run. */
const mostLines = 1_000_000_000_000

/** The header `Import-Run-Line` of a request that names a run. */
export const importRunLine: t.Decoder<unknown, Readonly<{ [importRunLineHeader]?: number }>> = t.partial(
  { [importRunLineHeader]: new QueryIntegerType(1, mostLines) },
  'ImportRunLine',
)
