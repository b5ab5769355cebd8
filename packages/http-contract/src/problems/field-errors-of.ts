import type { FieldError } from '@account-import/core'
import { detailOf, isErrorCode } from '@account-import/core'
import type * as t from 'io-ts'
import { QueryIntegerType } from '../lists/query-integer.js'

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
