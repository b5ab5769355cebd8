import * as t from 'io-ts'
import { problemBody } from './problems.js'

/** The header by which a client says that a request is the same one as before. */
export const idempotencyKeyHeader = 'Idempotency-Key'

/** Stands with `true` on an answer that was given before. */
export const replayedHeader = 'Idempotency-Replayed'

/** 1 to 255 visible ASCII characters: a header that was sent twice has a blank between its values, and is no key. */
export const idempotencyKeyPattern = /^[!-~]{1,255}$/

/** Every POST but those of lines, whose answers are streams. */
export const takesIdempotencyKey = ({
  method,
  success,
}: Readonly<{ method: string; success: unknown }>): boolean =>
  method === 'POST' && !(success instanceof Lines)

const maySucceedLater = new Set([401, 403, 409, 429])

/** Whether an answer of this status stays the answer to its request; any other may be tried again. */
export const isFinalStatus = (status: number): boolean => status < 500 && !maySucceedLater.has(status)

/** The guard of an answer's type; nothing is known of lines that are only read. */
export type LineOf<Each> = Each extends Readonly<{ is: (value: unknown) => value is infer A }> ? A : unknown

/** The media type of a body or an answer that is a stream of lines. */
export const linesType = 'application/x-ndjson'

/**
 * A body or an answer that is a stream of JSON values, one a line (NDJSON), each of them as `each` says. It is handled in
 * pieces of several lines, so that it never has to be in memory as a whole.
 */
export class Lines<Each extends Readonly<{ name: string }>> {
  readonly name: string
  readonly each: Each

  constructor(each: Each) {
    this.name = `lines of ${each.name}`
    this.each = each
  }

  /** The contents of the lines show only when they come. */
  is(value: unknown): value is AsyncIterable<readonly LineOf<Each>[]> {
    return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
  }
}

/** Codes are those of refusals. */
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
 * - `line`: counted from 1: the line of the request, blank ones counted too; of `bulk-process` that of the answer
 * - `status`: what the single request would have been answered with; 200 for a dry run that would succeed
 * - `external_account_number`: absent where it cannot be read
 * - `platform_account_number`: of an account that was created
 * - `staging`: of a valid account of `bulk-validate`: what staging would answer now; `same_data` as the refusal of an account that
 *   exists has it
 * - `warnings`: how many there are, absent without any
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
 * The last line of a bulk answer; an answer without it was cut, and the lines before it hold. The other counts add up
 * to `received`; those that a request cannot have are absent.
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

/** About so much text is sent as one piece. */
const pieceLength = 65_536

/** The text of lines, while they come: those that come together as one piece, or several where they are long. */
export async function* linesText(pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  for await (const page of pages) {
    let piece = ''
    for (const line of page) {
      piece += `${JSON.stringify(line)}\n`
      if (piece.length < pieceLength) continue
      yield piece
      piece = ''
    }
    if (piece !== '') yield piece
  }
}
