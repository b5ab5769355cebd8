import { mapped } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import { problemBody } from './problems.js'

/** The header that identifies a request, so that a retry gets the same answer. */
export const idempotencyKeyHeader = 'Idempotency-Key'

/** The header of a replayed response; its value is `true`. */
export const replayedHeader = 'Idempotency-Replayed'

/** 1 to 255 visible ASCII characters. A repeated header has a blank between its values, so it does not match. */
export const idempotencyKeyPattern = /^[!-~]{1,255}$/

/** True for every POST, except those whose response is a stream of lines. */
export const takesIdempotencyKey = ({
  method,
  success,
}: Readonly<{ method: string; success: unknown }>): boolean =>
  method === 'POST' && !(success instanceof Lines)

const maySucceedLater = new Set([401, 403, 409, 429])

/** Whether a response with this status is final. A request with any other status may be retried. */
export const isFinalStatus = (status: number): boolean => status < 500 && !maySucceedLater.has(status)

/** The type that the guard of `Each` asserts; `unknown` for request lines, which have no guard. */
export type LineOf<Each> = Each extends Readonly<{ is: (value: unknown) => value is infer A }> ? A : unknown

/** The media type of a body or an answer that is a stream of lines. */
export const linesType = 'application/x-ndjson'

/**
 * A request or response body that is a stream of JSON values, one a line (NDJSON), each of the type `each`. It is processed in
 * chunks of several lines, so that the whole body is never in memory.
 */
export class Lines<Each extends Readonly<{ name: string }>> {
  readonly name: string
  readonly each: Each

  constructor(each: Each) {
    this.name = `lines of ${each.name}`
    this.each = each
  }

  /** Checks only that the value is a stream, not its lines. */
  is(value: unknown): value is AsyncIterable<readonly LineOf<Each>[]> {
    return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
  }
}

/** Outcomes of staging; the codes are those of refusals. */
const stagingForecast = t.keyof({
  created: null,
  replaced: null,
  account_already_imported: null,
  account_import_in_progress: null,
  account_marked_to_skip: null,
  import_supplier_migration_not_ongoing: null,
})

/**
 * The outcome of one account of a bulk request, a line of its answer:
 *
 * - `line`: line number from 1: in the request, blank lines included; in `bulk-process`, in the response
 * - `status`: the status that the single request would get; 200 for a dry run that would succeed
 * - `external_account_number`: absent where it cannot be read
 * - `platform_account_number`: of an account that was created
 * - `staging`: in `bulk-validate`, the outcome that staging a valid account would have now
 * - `same_data`: as in the refusal of an account that exists
 * - `warnings`: the number of warnings, absent without any
 * - `error`: the body of the single request's refusal, absent on success
 */
export const bulkResultLine = t.intersection(
  [
    t.type({ line: t.number, status: t.number }),
    t.partial({
      external_account_number: t.string,
      platform_account_number: t.string,
      staging: stagingForecast,
      same_data: t.boolean,
      warnings: t.number,
      error: problemBody,
    }),
  ],
  'BulkResultLine',
)
export type BulkResultLine = t.TypeOf<typeof bulkResultLine>

/**
 * The last line of a bulk response. A response without this line was cut, and its other lines are valid. The other counts add up
 * to `received`; counts that a request cannot have are absent.
 */
export const bulkSummaryLine = t.type(
  {
    summary: t.intersection([
      t.type({ received: t.number, failed: t.number }),
      t.partial({ created: t.number, updated: t.number, valid: t.number }),
    ]),
  },
  'BulkSummaryLine',
)
export type BulkSummaryLine = t.TypeOf<typeof bulkSummaryLine>

/** Streams lines as text, one chunk for each page. */
export const linesText = (pages: AsyncIterable<readonly unknown[]>): AsyncIterable<string> =>
  mapped(pages, (page) => page.map((line) => `${JSON.stringify(line)}\n`).join(''))
