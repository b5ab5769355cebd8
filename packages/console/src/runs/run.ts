import { durationText, numberText } from '@account-import/account-files'
import type { FailurePlace, ImportRun, RunCounts, RunError, RunFailure, ShownRun } from '@account-import/core'
import { errorsOfFailure } from '@account-import/core/adapter-kit'
import { E } from '@account-import/core/fp'
import { type Column, html, type Html, noHtml, stackedBar } from '@account-import/core/html'
import { addressCodecs, cursorText, failurePlaceText } from '@account-import/http-contract'
import {
  emptyState,
  errorText,
  facts,
  links,
  nameOf,
  type Part,
  shownState,
  stateChip,
  table,
  tiles,
  timeAgo,
  timeText,
} from '../components.js'
import { accountAddress } from '../accounts/address.js'
import {
  alertOf,
  type Answer,
  decodedBy,
  given,
  type Parts,
  queryText,
  redirected,
  shown,
  streamed,
  type Visit,
} from '../route.js'
import { askedError, errorQuery } from './failures.js'

type Counted = Readonly<{ run: ShownRun; counts: RunCounts }>

/** Accounts of the run that were neither created nor refused yet. */
const waitingIn = ({ counts: { staged, created, failed } }: Counted): number =>
  Math.max(0, staged - created - failed.process)

/** `42 accounts a second`, and the time for the staged accounts that are left, as far as the file was received. */
const paceOf = (counted: Counted): Html => {
  const { run, counts } = counted
  if (run.state !== 'running' || run.seconds === 0) return noHtml
  const done = counts.created + counts.failed.process
  const handled = done === 0 ? counts.staged + counts.failed.stage : done
  const rate = handled / run.seconds
  const waiting = waitingIn(counted)
  const left =
    done > 0 && waiting > 0
      ? html`, about ${durationText(Math.ceil(waiting / rate))} left for the ${numberText(waiting)} staged accounts`
      : noHtml
  return html`<p>${numberText(Math.round(rate * 10) / 10)} accounts a second${left}.</p>`
}

const stateText = ({ run }: Counted, now: number): Html => {
  const state = shownState(run, now)
  if (state === 'interrupted')
    return html` No request named the run for ten minutes. The next one continues it.`
  if (state === 'stalled')
    return html` Requests arrive, but no account was accepted or refused for ten minutes.`
  const { undone } = run
  return undone === undefined
    ? noHtml
    : html` The latest undo was ${timeAgo(undone.latestAt, now)} by <bdi>${undone.latestBy}</bdi>.`
}

/** How much of its file the run has. */
const fileText = (received: number, inFile: number | undefined): Html => {
  if (inFile === undefined) return noHtml
  const rest = Math.max(0, inFile - received)
  return html`<p>
    The run has ${numberText(received)} of the ${numberText(inFile)} accounts of the file.
    ${rest === 0 ? noHtml : html`The other ${numberText(rest)} were not received, were staged or created outside the run, or are of another supplier.`}
  </p>`
}

const progress = (counted: Counted, now: number): Html => {
  const { run, counts } = counted
  const gone = run.undone?.count ?? 0
  const parts: readonly Part[] = [
    { tone: 'good', name: 'Created', count: counts.created - gone },
    ...(gone === 0 ? [] : [{ tone: 'soft', name: 'Undone', count: gone }]),
    { tone: 'info', name: 'Staged, not created', count: waitingIn(counted) },
    { tone: 'bad', name: 'Refused', count: counts.failed.stage + counts.failed.process },
  ]
  // Removed failures are not counted, so that the rest is unknown.
  const inFile = run.failuresRemovedAt === undefined ? run.source?.accounts : undefined
  const all = parts.reduce((sum, { count }) => sum + count, 0)
  return html`<section id="progress">
    <p role="status">${stateChip(run, now)}${stateText(counted, now)}</p>
    ${tiles([{ tone: 'soft', name: 'Accounts', count: all }, ...parts])} ${stackedBar(parts, inFile)}
    ${fileText(all, inFile)} ${paceOf(counted)}
  </section>`
}

const errors = ({ frame }: Visit, { counts }: Counted): Html => {
  const columns: readonly Column[] = [['Error'], ['Step'], ['Accounts', 'num']]
  const rows = counts.errors.map((error) => [
    errorText(frame, error),
    html`${error.step}`,
    html`<a href="${errorQuery(error)}#failures">${numberText(error.count)}</a>`,
  ])
  return html`<section id="errors">
    <h2>Most frequent errors</h2>
    ${rows.length === 0 ? emptyState(html`None.`) : table('Codes and fields by the number of accounts', columns, rows)}
  </section>`
}

const failureRow = (visit: Visit, { importSupplier }: ImportRun, failure: RunFailure): readonly Html[] => {
  const { externalAccountNumber: number, line, step } = failure
  return [
    // An account that was refused when it was staged may be unknown.
    number === undefined || step === 'stage'
      ? html`<bdi>${number ?? '–'}</bdi>`
      : html`<a href="${accountAddress('../../', importSupplier, number)}"><bdi>${number}</bdi></a>`,
    html`${line === undefined ? '–' : numberText(line)}`,
    html`${step}`,
    html`${errorsOfFailure(failure).map((error) => html`${errorText(visit.frame, error)}<br />`)}`,
  ]
}

const mostShown = 50

const failuresPart = async (
  visit: Visit,
  run: ImportRun,
  { error, cursor: after }: Readonly<{ error: RunError | undefined; cursor: FailurePlace | undefined }>,
): Promise<Html> => {
  const { useCases, organisation, now } = visit
  const failures = await useCases.importRunFailures({
    organisation,
    id: run.id,
    error,
    after,
    limit: mostShown,
  })
  if (E.isLeft(failures)) return alertOf(visit, failures.left)
  const { items, next } = failures.right
  const columns: readonly Column[] = [['Account number'], ['Line', 'num'], ['Step'], ['Errors']]
  const rows = items.map((failure) => failureRow(visit, run, failure))
  const removed = html`<p>They were removed ${timeAgo(run.failuresRemovedAt, now)}, after the retention of the supplier.</p>`
  const list =
    rows.length === 0
      ? emptyState(html`${after === undefined ? 'None.' : 'No more.'}`)
      : table('Refused accounts by step, line and number', columns, rows)
  const ofError = error === undefined ? noHtml : html` with ${errorText(visit.frame, error)}`
  const query = error === undefined ? '' : errorQuery(error)
  return html`<section id="failures">
    <h2>Refused accounts${ofError}</h2>
    ${run.failuresRemovedAt === undefined ? list : removed}
    ${links([
      error === undefined ? undefined : html`<a href="./#failures">All errors</a>`,
      after === undefined ? undefined : html`<a href="./${query}#failures">First page</a>`,
      next &&
        html`<a href="${queryText({ ...error, cursor: cursorText(failurePlaceText(next)) })}#failures">Next page</a>`,
      rows.length === 0 ? undefined : html`<a href="failures.csv${query}">All as CSV</a>`,
    ])}
  </section>`
}

const runFacts = (run: ImportRun, now: number): Html =>
  html`<section id="facts">
    <h2>Run</h2>
    ${facts([
      ['Supplier', html`${run.importSupplier}`],
      ['Label', html`<bdi>${run.label ?? '–'}</bdi>`],
      ['File', html`<bdi>${run.source?.name ?? '–'}</bdi>`],
      ['SHA-256 of the file', html`${run.source?.sha256 ?? '–'}`],
      ['Opened by', html`<bdi>${run.startedBy}</bdi>`],
      ['Started', timeText(run.startedAt)],
      ['Latest request', timeAgo(run.latestRequestAt, now)],
      ['Latest progress', timeAgo(run.latestProgressAt, now)],
      ['Finished', run.finishedAt === undefined ? html`–` : timeText(run.finishedAt)],
      ['Id', html`${run.id}`],
    ])}
  </section>`

async function* runParts(
  visit: Visit,
  run: ImportRun,
  asked: Readonly<{
    error: RunError | undefined
    cursor: FailurePlace | undefined
    updates: 'on' | 'off' | undefined
  }>,
): Parts {
  const { useCases, organisation, visitor, now } = visit
  yield html`<p class="soft">${run.importSupplier} · opened ${timeAgo(run.startedAt, now)} by <bdi>${run.startedBy}</bdi></p>`
  if (asked.updates === 'on')
    yield html`<p>This page updates every ${refreshSeconds} seconds. <a href="?updates=off">Stop updating</a></p>`
  if (asked.updates === 'off') yield html`<p>This page does not update. <a href="./">Update again</a></p>`
  const counted = await useCases.importRun({ organisation, id: run.id })
  const mayUndo = visitor.scopes.includes('undo')
  yield shown(visit, counted, (found) => {
    const isLeft = found.counts.created > (found.run.undone?.count ?? 0)
    return html`${progress(found, now)}
    ${links([
      isLeft ? html`<a href="accounts/">Accounts of the run</a>` : undefined,
      isLeft && mayUndo ? html`<a class="danger" href="undo/">Undo the run…</a>` : undefined,
    ])}
    ${run.finishedAt === undefined ? goOn(visit, run, shownState(found.run, now)) : noHtml}
    ${errors(visit, found)}`
  })
  yield await failuresPart(visit, run, asked)
  yield runFacts(run, now)
}

/** The ways to end an open run: its file is sent again, or a person finishes it. */
const goOn = ({ visitor }: Visit, run: ImportRun, state: ReturnType<typeof shownState>): Html => {
  const file = run.source?.name ?? 'FILE'
  const command = html`<p>
    To continue it, send the same file again: <code>account-import import ${file}</code>. Accounts that exist are not created twice.
  </p>`
  const form = html`<form method="post" action="finish/">
    <button>Finish the run</button> <span class="soft">Later requests that name it are refused; its accounts stay.</span>
  </form>`
  return html`<section id="open">
    ${state === 'running' ? noHtml : command} ${visitor.scopes.includes('stage') ? form : noHtml}
  </section>`
}

/** Finishes an open run, and leads back to its page. */
export const finishRun = async ({ useCases, organisation, captures }: Visit): Answer => {
  const [id = ''] = captures
  const finished = await useCases.finishImportRun({ organisation, id })
  return E.isLeft(finished) ? finished : redirected(303, '../')
}

const refreshSeconds = 10

/** One run, with a page of its refused accounts. The browser loads it again while the run goes on, unless the visitor stops that. */
export const runPage = async (visit: Visit): Answer => {
  const { ctx, useCases, organisation, captures, query } = visit
  const [id = ''] = captures
  const asked = decodedBy(addressCodecs.failures, { cursor: given(visit, 'cursor') })
  if (E.isLeft(asked)) return asked
  const run = await useCases.findImportRun({ organisation, id })
  if (E.isLeft(run)) return run
  const error = askedError(visit)
  const { cursor } = asked.right
  const isOpen = run.right.finishedAt === undefined && error === undefined && cursor === undefined
  const updates = isOpen ? (query.get('updates') === 'off' ? 'off' : 'on') : undefined
  if (updates === 'on') ctx.set('Refresh', String(refreshSeconds))
  const head = { title: nameOf(run.right), folder: 'runs/' } as const
  return streamed(visit, head, runParts(visit, run.right, { error, cursor, updates }))
}
