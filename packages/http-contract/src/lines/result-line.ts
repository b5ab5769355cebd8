import * as t from 'io-ts'
import { problemBody } from '../problems/problem-body.js'
import { Lines } from './lines.js'

/**
 * What became of one account of a bulk request, a line of its answer:
 *
 * - `line`: counted from 1: the line of the request, blank ones counted too; of `bulk-process` that of the answer
 * - `status`: what the single request would have been answered with; 200 for a dry run that would succeed
 * - `external_account_number`: absent where it cannot be read
 * - `platform_account_number`: of an account that was created
 * - `warnings`: how many there are, absent without any
 * - `error`: the body of the single request's refusal, absent on success
 */
export const bulkResultLine = t.intersection(
  [
    t.type({ line: t.number, status: t.number }),
    t.partial({
      external_account_number: t.string,
      platform_account_number: t.string,
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

/** The answer of every bulk request. */
export const bulkLines = new Lines(t.union([bulkResultLine, bulkSummaryLine], 'BulkLine'))
