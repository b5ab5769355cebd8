import type { ErrorCode, FieldError } from '@account-import/core'
import { E } from '@account-import/core/fp'
import {
  checkAccountPayload,
  type CheckContext,
  externalAccountNumber,
  type ExtraFinding,
  importSupplierCode,
  readField,
  tooManyValues,
} from '@account-import/core/payloads'
import {
  bodyLimitBytes,
  jsonOf,
  nestingLimit,
  type NotReadable,
  parseErrorDetail,
  type TextPosition,
} from '@account-import/http-contract'
import {
  type Batch,
  type BatchOutcome,
  refusedLine,
  tooLargeLine,
  type ValidatedLine,
  type Wants,
} from '../outcomes/batch.js'
import { isBlank, linesOf } from '../lines/lines-of.js'
import { batchResult } from '../totals/batch-result.js'
import { lineFacts } from '../totals/line-facts.js'

/** How lines are validated, and which outputs are wanted. */
export type CheckSetup = Readonly<{
  rulesFor: RulesFor
  wants: Wants
}>

const codes = {
  NotUtf8: 'invalid_encoding',
  PayloadTooDeep: 'payload_too_deep',
} as const satisfies Record<Exclude<NotReadable['_tag'], 'NotJson'>, ErrorCode>

/** The result of a line with invalid JSON or a repeated key; `at` is the place of the fault, if known. */
const brokenLine = (at: TextPosition | undefined): ValidatedLine => {
  if (at === undefined) return refusedLine('parse_error')
  const { line: _, ...place } = at
  const detail = parseErrorDetail(place)
  return {
    ...refusedLine('parse_error'),
    errors: [{ detail, code: 'parse_error', attr: '' }],
    column: at.column,
  }
}

const unreadable = (refusal: NotReadable): ValidatedLine =>
  refusal._tag === 'NotJson'
    ? brokenLine(refusal.at)
    : refusedLine(codes[refusal._tag], { max: nestingLimit })

const carriageReturn = 0x0d

/** Bytes of a line that count against the limit: all but the carriage return of a CRLF. */
const sizeOf = (line: Uint8Array): number => line.length - (line.at(-1) === carriageReturn ? 1 : 0)

/** The settings by which an account is validated, and further findings, by the supplier that it names. */
export type RulesFor = (
  importSupplier: string | undefined,
) => Readonly<{ context: CheckContext; extra?: readonly ExtraFinding[] }>

/** The findings of an account; `only`: those of one that was not read beyond its names. */
const validated = (
  payload: unknown,
  rulesFor: RulesFor,
  line: number,
  only?: readonly FieldError[],
): ValidatedLine => {
  const importSupplier = readField(importSupplierCode, payload, 'import_supplier')
  const { context, extra } = rulesFor(importSupplier)
  const checked =
    only === undefined ? checkAccountPayload(payload, context, extra) : E.left({ errors: only, warnings: [] })
  const { errors, warnings } = E.isLeft(checked)
    ? checked.left
    : { errors: [], warnings: checked.right.warnings }
  return {
    errors,
    warnings,
    facts: lineFacts(payload, { line, today: context.today }),
    importSupplier,
    externalAccountNumber: readField(externalAccountNumber, payload, 'external_account_number'),
  }
}

/** Validates one line (without its line feed) as the service validates the body of a request, without any store. */
const validateLine = (line: Uint8Array, rulesFor: RulesFor, number: number): ValidatedLine => {
  if (sizeOf(line) > bodyLimitBytes) return tooLargeLine()
  const json = jsonOf(line)
  if (E.isRight(json)) return validated(json.right.payload, rulesFor, number)
  const { left } = json
  return left._tag === 'TooManyValues'
    ? validated(left.names, rulesFor, number, tooManyValues(left.longest))
    : unreadable(left)
}

/**
 * Validates every line of a batch. The outcome depends on the arguments alone, so it is the same in any worker.
 */
export const checkBatch = ({ bytes, ...place }: Batch, { wants, rulesFor }: CheckSetup): BatchOutcome => {
  const result = batchResult(wants, place)
  let offset = 0
  for (const range of linesOf(bytes)) {
    const line = bytes.subarray(range.start, range.end)
    if (!isBlank(line)) result.add(offset, range, validateLine(line, rulesFor, place.firstLine + offset))
    offset += 1
  }
  return result.outcome(bytes)
}
