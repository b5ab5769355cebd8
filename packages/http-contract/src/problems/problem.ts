import { detailOf, type ErrorCode, type FieldError, isErrorCode } from '@account-import/core'
import * as t from 'io-ts'
import { QueryIntegerType } from '../address-codecs.js'
import { transactionData } from '../transaction-data.js'

/**
 * Where a text is no JSON any more, both counted from 1, columns in UTF-16 units as editors do; `line` is absent where one
 * line alone is meant. `isRepeatedKey`: a key that its object has already begins there.
 */
export type TextPosition = Readonly<{ line?: number; column: number; isRepeatedKey?: boolean }>

const fieldErrorOf = (error: t.ValidationError): FieldError => {
  const type = error.context.at(-1)?.type
  const form =
    type !== undefined && 'form' in type ? String(type.form) : 'the form that its documentation says'
  const params = type instanceof QueryIntegerType ? { min: type.min, max: type.max, form } : { form }
  const code = error.message !== undefined && isErrorCode(error.message) ? error.message : 'invalid'
  const attr = error.context
    .map(({ key }) => key)
    .filter((key) => key !== '')
    .join('.')
  return { detail: detailOf(code, params), code, attr }
}

/** What a codec of the contract found wrong, as entries; codes come from the message slot. */
export const fieldErrorsOf = (errors: t.Errors): readonly FieldError[] => errors.map(fieldErrorOf)

/** The body of a refusal as this service writes it: its codes are codes of the catalogue, not just any text. */
export type WrittenBody = Omit<ProblemBody, 'code' | 'errors'> &
  Readonly<{ code: ErrorCode; errors: readonly FieldError[] }>

/** A refusal as HTTP answers it. */
export type Problem = Readonly<{
  status: number
  body: WrittenBody
  headers: Readonly<Record<string, string>>
}>

type Parts = Readonly<{
  /** Texts for the placeholders of the detail, from the contract, never from a payload. */
  params?: Readonly<Record<string, string | number>>
  errors?: readonly FieldError[]
  extras?: Omit<ProblemBody, 'detail' | 'code' | 'errors'>
  headers?: Readonly<Record<string, string>>
}>

const none: Readonly<Record<string, string>> = {}

/** The body that all problems share, with the detail of the catalogue. */
export const problem = (status: number, code: ErrorCode, parts: Parts = {}): Problem => ({
  status,
  body: { detail: detailOf(code, parts.params), code, errors: parts.errors ?? [], ...parts.extras },
  headers: parts.headers ?? none,
})

/** Seconds, whole and at least 1. */
export const retryAfter = (seconds: number): Readonly<Record<string, string>> => ({
  'Retry-After': String(Math.max(1, Math.ceil(seconds))),
})

const fieldError = t.readonly(t.type({ detail: t.string, code: t.string, attr: t.string }), 'FieldError')

/**
 * The body of every answer that is no success. `errors` is empty unless the input failed validation. Which refusals
 * have which of the optional fields is in the problem tables; `request_id` is there on status 500 only.
 */
export const problemBody = t.readonly(
  t.intersection([
    t.type({ detail: t.string, code: t.string, errors: t.readonlyArray(fieldError) }),
    t.partial({
      error_detail: t.string,
      external_account_number: t.string,
      import_supplier: t.string,
      platform_account_number: t.string,
      reference: t.string,
      request_id: t.string,
      status: t.keyof({ TRANSACTION_IMPORT_ERROR: null }),
      transaction_data: transactionData,
    }),
  ]),
  'Problem',
)
export type ProblemBody = t.TypeOf<typeof problemBody>
