import { detailOf, type ErrorCode, type FieldError } from '@account-import/core'
import {
  checkAccountPayload,
  E,
  externalAccountNumber,
  importSupplierCode,
  readField,
  type CheckContext,
  type Limits,
} from '@account-import/core/adapter-kit'
import { bodyLimitBytes, jsonOf, nestingLimit, type NotReadable } from '@account-import/http-contract'

/** One line as validated; supplier and number only where the payload has them in a valid form. */
export type ValidatedLine = Readonly<{
  errors: readonly FieldError[]
  warnings: readonly FieldError[]
  importSupplier: string | undefined
  externalAccountNumber: string | undefined
}>

const codes = {
  NotUtf8: 'invalid_encoding',
  NotJson: 'parse_error',
  PayloadTooDeep: 'payload_too_deep',
} as const satisfies Record<NotReadable['_tag'], ErrorCode>

const refused = (code: ErrorCode, limits?: Limits): ValidatedLine => ({
  errors: [{ detail: detailOf(code, limits), code, attr: '' }],
  warnings: [],
  importSupplier: undefined,
  externalAccountNumber: undefined,
})

/** A line over 5 MiB, whatever is in it. */
export const tooLargeLine = (): ValidatedLine => refused('payload_too_large', { max: bodyLimitBytes })

const carriageReturn = 0x0d

/** Bytes of a line that count against the limit: all but the carriage return of a CRLF. */
const sizeOf = (line: Uint8Array): number => line.length - (line.at(-1) === carriageReturn ? 1 : 0)

/** Validates one line (without its line feed) as the service validates the body of a request, without looking into any store. */
export const validateLine = (line: Uint8Array, context: CheckContext): ValidatedLine => {
  if (sizeOf(line) > bodyLimitBytes) return tooLargeLine()
  const json = jsonOf(line)
  if (E.isLeft(json)) return refused(codes[json.left._tag], { max: nestingLimit })
  const payload = json.right
  const checked = checkAccountPayload(payload, context)
  const { errors, warnings } = E.isLeft(checked)
    ? checked.left
    : { errors: [], warnings: checked.right.warnings }
  return {
    errors,
    warnings,
    importSupplier: readField(importSupplierCode, payload, 'import_supplier'),
    externalAccountNumber: readField(externalAccountNumber, payload, 'external_account_number'),
  }
}
