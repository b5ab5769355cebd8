import type { ErrorCode } from '@account-import/core'
import {
  checkAccountPayload,
  E,
  externalAccountNumber,
  importSupplierCode,
  readField,
  type CheckContext,
} from '@account-import/core/adapter-kit'
import { bodyLimitBytes, jsonOf, nestingLimit, type NotReadable } from '@account-import/http-contract'
import { brokenLine, refusedLine, tooLargeLine, type ValidatedLine } from '../account-files/validated-line.js'

const codes = {
  NotUtf8: 'invalid_encoding',
  PayloadTooDeep: 'payload_too_deep',
} as const satisfies Record<Exclude<NotReadable['_tag'], 'NotJson'>, ErrorCode>

const unreadable = (refusal: NotReadable): ValidatedLine =>
  refusal._tag === 'NotJson'
    ? brokenLine(refusal.at)
    : refusedLine(codes[refusal._tag], { max: nestingLimit })

const carriageReturn = 0x0d

/** Bytes of a line that count against the limit: all but the carriage return of a CRLF. */
const sizeOf = (line: Uint8Array): number => line.length - (line.at(-1) === carriageReturn ? 1 : 0)

/** Validates one line (without its line feed) as the service validates the body of a request, without looking into any store. */
export const validateLine = (line: Uint8Array, context: CheckContext): ValidatedLine => {
  if (sizeOf(line) > bodyLimitBytes) return tooLargeLine()
  const json = jsonOf(line)
  if (E.isLeft(json)) return unreadable(json.left)
  const { payload } = json.right
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
