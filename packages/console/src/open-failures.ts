import { counted, numberText } from '@account-import/account-files'
import { formOf } from '@account-import/adapter-http-koa/pages'
import type { OpenFailure, OpenPlace } from '@account-import/core'
import { errorsOfFailure } from '@account-import/core/adapter-kit'
import { E } from '@account-import/core/fp'
import { type Column, html, type Html, noHtml } from '@account-import/core/html'
import { addressCodecs, cursorText, openPlaceText } from '@account-import/http-contract'
import { emptyState, errorText, links, table, timeAgo } from './components.js'
import {
  alertOf,
  type Answer,
  decodedBy,
  given,
  type Parts,
  queryText,
  redirected,
  streamed,
  type Visit,
} from './route.js'

const mostShown = 100

/** An account to choose: `n` and its number, or `l`, run and line. */
const boxOf = ({ externalAccountNumber: number, importRun, line }: OpenFailure): Html => {
  const value = number === undefined ? `l${importRun} ${line ?? 0}` : `n${number}`
  return html`<label><input type="checkbox" name="failure" value="${value}" /> <bdi>${number ?? 'number not read'}</bdi></label>`
}

const rowOf = ({ frame, now }: Visit, failure: OpenFailure): readonly Html[] => [
  boxOf(failure),
  html`${errorsOfFailure(failure).map((error) => html`${errorText(frame, error)}<br />`)}`,
  html`<a href="../runs/${encodeURIComponent(failure.importRun)}/">${timeAgo(failure.failedAt, now)}</a>`,
  html`${failure.line === undefined ? '–' : numberText(failure.line)}`,
]

const columns: readonly Column[] = [['Account number'], ['Errors'], ['Run'], ['Line', 'num']]

const listOf = (visit: Visit, items: readonly OpenFailure[]): Html => {
  const rows = table(
    'Open failures by account number',
    columns,
    items.map((failure) => rowOf(visit, failure)),
  )
  return visit.visitor.scopes.includes('process')
    ? html`<form method="post">
        ${rows}
        <p><label>Reason <input name="reason" maxlength="200" required /></label> <button>Dismiss the chosen failures</button></p>
      </form>`
    : rows
}

async function* parts(visit: Visit, supplier: string, after: OpenPlace | undefined): Parts {
  const { useCases, organisation } = visit
  const request = { organisation, importSupplier: supplier, after, limit: mostShown }
  const found = await useCases.openFailures(request)
  if (E.isLeft(found)) return yield alertOf(visit, found.left)
  const { items, next } = found.right
  const dismissed = given(visit, 'dismissed')
  yield html`<p>Refused accounts of all runs that were neither accepted since nor dismissed.</p>
    ${dismissed === undefined ? noHtml : html`<p class="callout" role="status">${counted(Number(dismissed), 'failure')} dismissed.</p>`}
    ${items.length === 0 ? emptyState(html`${after === undefined ? 'None.' : 'No more.'}`) : listOf(visit, items)}
    ${links([
      after && html`<a href="${queryText({ supplier })}">First page</a>`,
      next &&
        html`<a href="${queryText({ supplier, cursor: cursorText(openPlaceText(next)) })}">Next page</a>`,
    ])}`
}

/** The open failures of a supplier, page by page. */
export const openFailures = async (visit: Visit): Answer => {
  const supplier = given(visit, 'supplier') ?? ''
  const query = decodedBy(addressCodecs.open, { cursor: given(visit, 'cursor') })
  if (E.isLeft(query)) return query
  const head = { title: `Open failures of ${supplier}`, folder: '' } as const
  return streamed(visit, head, parts(visit, supplier, query.right.cursor))
}

/** 100 account numbers of 128 characters each. */
const formLimitBytes = 262_144

/** Dismisses the chosen failures. */
export const dismiss = async (visit: Visit): Answer => {
  const { useCases, organisation, by, visitor } = visit
  if (!visitor.scopes.includes('process')) return E.left({ _tag: 'PermissionDenied' })
  const form = await formOf(visit.ctx, formLimitBytes)
  if (E.isLeft(form)) return form
  const supplier = given(visit, 'supplier') ?? ''
  const failures = form.right.getAll('failure').map((value) => {
    const [run = '', line = ''] = value.slice(1).split(' ')
    return value.startsWith('n')
      ? { external_account_number: value.slice(1) }
      : { import_run: run, line: Number(line) }
  })
  const payload = { import_supplier: supplier, failures, reason: form.right.get('reason') ?? '' }
  const dismissed = await useCases.dismissFailures({ organisation, payload, by })
  return E.isLeft(dismissed)
    ? dismissed
    : redirected(303, queryText({ supplier, dismissed: String(dismissed.right.dismissed) }))
}
