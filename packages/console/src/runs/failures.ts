import { csvOf } from '@account-import/account-files'
import { type FailurePlace, type RunError, type RunFailure, runSteps } from '@account-import/core'
import { E } from '@account-import/core/fp'
import { type Answer, given, queryText, type Visit } from '../route.js'

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
  request: Readonly<{ id: string; error: RunError | undefined }>,
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

/** The error that the address names, so that it can be one of the list of errors: `?step=stage&code=blank&field=`. */
export const askedError = (visit: Visit): RunError | undefined => {
  const step = runSteps.find((name) => name === given(visit, 'step'))
  const code = given(visit, 'code')
  return step === undefined || code === undefined
    ? undefined
    : { step, code, field: given(visit, 'field') ?? '' }
}

/** The query of the failures with an error. */
export const errorQuery = ({ step, code, field }: RunError): string => queryText({ step, code, field })

/** The refused accounts of a run, all or those with an error, as a file. */
export const failuresCsv = async (visit: Visit): Answer => {
  const [id = ''] = visit.captures
  const error = askedError(visit)
  const { organisation } = visit
  const first = await visit.useCases.importRunFailures({
    organisation,
    id,
    error,
    after: undefined,
    limit: pageSize,
  })
  return E.map((page: Page) => ({
    status: 200,
    headers: { 'Content-Disposition': 'attachment; filename="failures.csv"' },
    type: 'text/csv; charset=utf-8',
    body: rest(visit, { id, error }, page),
  }))(first)
}
