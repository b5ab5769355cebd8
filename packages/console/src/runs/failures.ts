import { csvOf } from '@account-import/account-files'
import type { FailurePlace, RunFailure } from '@account-import/core'
import { E } from '@account-import/core/fp'
import { type Answer, given, type Visit } from '../route.js'

const header = csvOf([['account_number', 'line', 'step', 'code', 'path', 'times', 'failed_at']])

/** A row for each finding; one for a failure without findings. */
const rowsOf = (failure: RunFailure): string => {
  const { externalAccountNumber: number = '', line = '', step, code, findings, failedAt } = failure
  const found = findings.length === 0 ? [{ code, attr: '', times: 1 }] : findings
  return csvOf(found.map(({ code: name, attr, times }) => [number, line, step, name, attr, times, failedAt]))
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
    yield page.items.map(rowsOf).join('')
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
