import { parentPort, workerData } from 'node:worker_threads'
import type { ErrorCode } from '@account-import/core'
import { E } from '@account-import/core/fp'
import {
  checkAccountPayload,
  type CheckContext,
  externalAccountNumber,
  importSupplierCode,
  readField,
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
} from '../account-files/batch.js'
import { isBlank, linesOf } from '../account-files/input/lines-of.js'
import { batchResult } from '../account-files/totals/batch-result.js'
import { lineFacts } from '../account-files/totals/line-facts.js'

/** The input of a worker. */
export type CheckSetup = Readonly<{ context: CheckContext; wants: Wants }>

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

/** Validates one line (without its line feed) as the service validates the body of a request, without any store. */
const validateLine = (line: Uint8Array, context: CheckContext): ValidatedLine => {
  if (sizeOf(line) > bodyLimitBytes) return tooLargeLine()
  const json = jsonOf(line)
  if (E.isLeft(json)) return unreadable(json.left)
  const { payload } = json.right
  const checked = checkAccountPayload(payload, context)
  const { errors, warnings } = E.isLeft(checked)
    ? checked.left
    : { errors: [], warnings: checked.right.warnings }
  const importSupplier = readField(importSupplierCode, payload, 'import_supplier')
  return {
    errors,
    warnings,
    facts: lineFacts(payload, importSupplier, context.today),
    importSupplier,
    externalAccountNumber: readField(externalAccountNumber, payload, 'external_account_number'),
  }
}

/** Validates every line of a batch. The outcome depends on the arguments alone, so it is the same in any worker. */
const checkBatch = ({ bytes, ...place }: Batch, setup: CheckSetup): BatchOutcome => {
  const result = batchResult(setup.wants, place)
  let offset = 0
  for (const range of linesOf(bytes)) {
    const line = bytes.subarray(range.start, range.end)
    if (!isBlank(line)) result.add(offset, range, validateLine(line, setup.context))
    offset += 1
  }
  return result.outcome(bytes)
}

/** `checkWorkers` of `run-offline.ts` starts this thread with a set-up, and sends batches. */
const setup = workerData as CheckSetup

const buffersOf = ({ keys, failures, errors }: BatchOutcome): ArrayBuffer[] =>
  [keys, failures, errors].flatMap((part) => (part === undefined ? [] : [part.buffer]))

parentPort?.on('message', (batch: Batch) => {
  const outcome = checkBatch(batch, setup)
  parentPort?.postMessage(outcome, buffersOf(outcome))
})
