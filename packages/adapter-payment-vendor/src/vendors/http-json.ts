import type { PaymentInstructionDetails } from '@account-import/core'
import { keepablePaymentDetails } from '@account-import/core/adapter-kit'
import { VendorFailure } from '../vendor-failure.js'
import {
  boundedGet,
  type ConnectionOptions,
  isPossibleReference,
  placeOf,
  vendorConnection,
} from '../http/vendor-connection.js'
import type { AskedInstruction, ClearAnswer, VendorClient } from '../payment-vendors.js'

const forms: readonly RegExp[] = [
  /^(?<year>\d{4})-(?<month>\d{2})(?:$|-|T)/,
  /^(?<month>\d{1,2})\/(?<year>\d{2}|\d{4})$/,
  /^(?<year>\d{4})\/(?<month>\d{2})$/,
]

/** `YYYY-MM` of a year of two or four digits and a month of one or two; undefined for anything else. */
const yearMonth = (year: string, month: string): string | undefined =>
  /^(?:\d{2}|\d{4})$/.test(year) && /^(?:0?[1-9]|1[0-2])$/.test(month)
    ? `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}`
    : undefined

/** `YYYY-MM` of a month as vendors write it: `2031-01`, `2031-01-31`, `01/31`, `1/2031`, `2031/01`. */
const expiryForm = (text: string): string | undefined => {
  for (const form of forms) {
    const { year, month } = form.exec(text)?.groups ?? {}
    if (year !== undefined && month !== undefined) return yearMonth(year, month)
  }
  return undefined
}

/**
 * The rules by which a response of the status 200 is read. A path names a value in it: a dotted path such as `card.brand`, or a
 * JSON Pointer such as `/data/0/card.brand`.
 */
export type AnswerRules = Readonly<{
  /** The instruction can be used when the value at the path, as text, is one of these, and only then. */
  usable: Readonly<{ path: string; in: readonly string[] }>
  /** For vendors that respond with 200 to unknown references. */
  not_found?: Readonly<{ path: string; in: readonly string[] }> | undefined
  /** The values at the path that each type of instruction may have; a type that is not listed is not usable. */
  type?: Readonly<{ path: string; of: Readonly<Record<string, readonly string[]>> }> | undefined
  /** The path of the reference in the response; a different reference there makes the response unclear. */
  reference?: string | undefined
  /** The path of each detail; a detail is left out where the response lacks it. */
  details?:
    | Readonly<
        Partial<
          Record<
            | 'brand'
            | 'last4'
            | 'method'
            | 'country'
            | 'customer_id'
            | 'mandate_id'
            | 'status'
            /** `2031-01`, `2031-01-31`, `01/31` or `1/2031`; or the two fields below. */
            | 'expiry'
            | 'expiry_month'
            | 'expiry_year',
            string | undefined
          >
        >
      >
    | undefined
}>

const pointerKeys = (pointer: string): readonly string[] =>
  pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The keys of a JSON Pointer (RFC 6901, begins with a slash) or of a dotted path such as `card.brand`. */
const keysOf = (path: string): readonly string[] =>
  path.startsWith('/') ? pointerKeys(path) : path.split('.')

/** The value at a path of a JSON value; in arrays, indexes count from 0. Undefined if there is none. */
const valueAt = (json: unknown, path: string): unknown => {
  let value = json
  for (const key of keysOf(path)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[key]
  }
  return value
}

/** As `valueAt`, as text; undefined for a value that is no text, number or boolean. */
const textAt = (json: unknown, path: string): string | undefined => {
  const value = valueAt(json, path)
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** The JSON object or list of a response. Throws a `VendorFailure` for any other body. */
export const parsed = (body: string): object => {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    throw new VendorFailure('form')
  }
  if (typeof json !== 'object' || json === null) throw new VendorFailure('form')
  return json
}

const holds = (answer: object, rule: AnswerRules['not_found']): boolean => {
  const text = rule === undefined ? undefined : textAt(answer, rule.path)
  return text !== undefined && rule?.in.includes(text) === true
}

const isOfType = (answer: object, rule: AnswerRules['type'], type: string): boolean => {
  if (rule === undefined) return true
  const text = textAt(answer, rule.path)
  const accepted = Object.hasOwn(rule.of, type) ? rule.of[type] : undefined
  return text !== undefined && accepted?.includes(text) === true
}

type DetailPaths = NonNullable<AnswerRules['details']>

const expiryOf = (at: (name: keyof DetailPaths) => string | undefined): string | undefined => {
  const whole = at('expiry')
  return whole === undefined
    ? yearMonth(at('expiry_year') ?? '', at('expiry_month') ?? '')
    : expiryForm(whole)
}

const detailsOf = (answer: object, paths: DetailPaths): PaymentInstructionDetails => {
  const at = (name: keyof DetailPaths): string | undefined => {
    const path = paths[name]
    return path === undefined ? undefined : textAt(answer, path)
  }
  return keepablePaymentDetails({
    brand: at('brand'),
    last4: at('last4'),
    expiry: expiryOf(at),
    method: at('method'),
    country: at('country'),
    customerId: at('customer_id'),
    mandateId: at('mandate_id'),
    status: at('status'),
  })
}

/** The outcome of a response of the status 200. Throws a `VendorFailure` for a response about another reference. */
const readAnswer = (body: string, rules: AnswerRules, asked: AskedInstruction): ClearAnswer => {
  const answer = parsed(body)
  if (holds(answer, rules.not_found)) return { _tag: 'not_found' }
  if (rules.reference !== undefined && textAt(answer, rules.reference) !== asked.reference)
    throw new VendorFailure('form')
  if (!holds(answer, rules.usable) || !isOfType(answer, rules.type, asked.type)) return { _tag: 'not_usable' }
  return { _tag: 'verified', details: detailsOf(answer, rules.details ?? {}) }
}

/** Characters without a special meaning in paths and queries. */
const plainReference = /^[A-Za-z0-9._~+=:@-]{1,255}$/u

const filled = (template: string, { reference, type }: AskedInstruction): URL =>
  new URL(
    template.replaceAll(/\{(reference|type)\}/g, (_, name: string) =>
      encodeURIComponent(name === 'type' ? type : reference),
    ),
  )

/** The outcomes of 404 and other 4xx statuses; all others but 200 are rejected before as unclear. */
export const byStatus = (status: number): ClearAnswer =>
  status === 404 ? { _tag: 'not_found' } : { _tag: 'refused' }

/**
 * Any vendor that answers a GET with JSON: 200 is found, and the rules decide whether it can be used; 404 is not found; 401, 403
 * and other 4xx are refused; time-outs, 408, 429, 5xx, redirects and everything else are no clear answer.
 */
export const httpJsonVendor = (
  options: AnswerRules &
    Readonly<{
      code: string
      /** `https://…/{reference}?type={type}`, or `http://`; both are put in percent-encoded. */
      url: string
      /** Sent with every request, such as `Authorization`; a function is called for each request. Never logged. */
      headers?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>)
      /**
       * The form of the vendor's references; 1 to 255 of `A-Za-z0-9._~+=:@-` when absent. Dots alone, which would be steps
       * through the vendor's paths, are always refused. Begins and ends with the text, has the flag `u`.
       */
      referencePattern?: RegExp
    }> &
    Partial<ConnectionOptions>,
): VendorClient => {
  const { code, url, headers = {}, referencePattern = plainReference, ...others } = options
  const { allowPrivateAddress = false, ...rest } = others
  const connection = vendorConnection({ allowPrivateAddress, ...rest })
  return {
    code,
    takesReference: (reference) => isPossibleReference(reference) && referencePattern.test(reference),
    ask: async (instruction, signal) => {
      if (!isPossibleReference(instruction.reference) || !isPossibleReference(instruction.type))
        return { _tag: 'not_found' }
      const sent = typeof headers === 'function' ? headers() : headers
      const asked = filled(url, instruction)
      const { status, body } = await boundedGet(connection, {
        ...placeOf(asked),
        path: `${asked.pathname}${asked.search}`,
        headers: { accept: 'application/json', 'accept-encoding': 'identity', ...sent },
        signal,
      })
      return status === 200 ? readAnswer(body, rest, instruction) : byStatus(status)
    },
  }
}
