import type { FailurePlace, RunFailure } from '@account-import/core'
import { E } from '@account-import/core/fp'
import { type Answer, given, type Visit } from '../route.js'

/** A cell by RFC 4180. A text that a spreadsheet would run as a formula gets an apostrophe before it. */
const cell = (value: string | number | undefined): string => {
  const text = String(value ?? '')
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /["\r\n,]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const line = (cells: readonly (string | number | undefined)[]): string => `${cells.map(cell).join(',')}\r\n`

const header = line(['account_number', 'line', 'step', 'code', 'path', 'times', 'failed_at'])

/** A line for each finding; one for a failure without findings. */
const linesOf = (failure: RunFailure): string => {
  const { externalAccountNumber: number, step, code, findings, failedAt } = failure
  const found = findings.length === 0 ? [{ code, attr: '', times: 1 }] : findings
  return found
    .map(({ code: name, attr, times }) => line([number, failure.line, step, name, attr, times, failedAt]))
    .join('')
}

const pageSize = 1000

type Page = Readonly<{ items: readonly RunFailure[]; next: FailurePlace | undefined }>

async function* rest(
  { useCases, organisation }: Visit,
  request: Readonly<{ id: string; code: string | undefined }>,
  first: Page,
): AsyncGenerator<string> {
  yield header
  for (let page = first; ;) {
    yield page.items.map(linesOf).join('')
    const after = page.next
    if (after === undefined) return
    const next = await useCases.importRunFailures({ organisation, ...request, after, limit: pageSize })
    // A download that breaks off is not taken for a whole one.
    if (E.isLeft(next)) throw next.left._tag === 'PortFailure' ? next.left : new Error(next.left._tag)
    page = next.right
  }
}

/** The refused accounts of a run, all or those with a code, as a file. */
export const failuresCsv = async (visit: Visit): Answer => {
  const [id = ''] = visit.captures
  const code = given(visit, 'code')
  const { organisation } = visit
  const first = await visit.useCases.importRunFailures({
    organisation,
    id,
    code,
    after: undefined,
    limit: pageSize,
  })
  return E.map((page: Page) => ({
    status: 200,
    headers: { 'Content-Disposition': 'attachment; filename="failures.csv"' },
    type: 'text/csv; charset=utf-8',
    body: rest(visit, { id, code }, page),
  }))(first)
}
