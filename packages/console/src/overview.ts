import { counted } from '@account-import/account-files'
import type { ImportSummary, RunCounts, RunStep, ShownRun, UsableNames } from '@account-import/core'
import { E, type Either } from '@account-import/core/fp'
import { html, type Html, noHtml, stackedBar } from '@account-import/core/html'
import type { Refusal } from '@account-import/http-contract'
import {
  chip,
  emptyState,
  errorText,
  nameOf,
  outcome,
  type Part,
  shownState,
  stateChip,
  tiles,
  timeAgo,
} from './components.js'
import { errorQuery } from './runs/failures.js'
import { type Answer, type Parts, queryText, shown, streamed, type Visit } from './route.js'

type Supplier = UsableNames['importSuppliers'][number]

/** `open`: the failures of all runs that are open; `latest`: the latest run, and the counts of its accounts. */
type Standing = Readonly<{
  summary: ImportSummary
  open: Readonly<Record<RunStep, number>>
  latest: Readonly<{ run: ShownRun; counts: RunCounts }> | undefined
}>

const standingOf = async (
  { useCases, organisation }: Visit,
  importSupplier: string,
): Promise<Either<Refusal, Standing>> => {
  const summary = await useCases.accountImportSummary({ organisation, importSupplier })
  if (E.isLeft(summary)) return summary
  const failures = await useCases.openFailureCounts({ organisation, importSupplier })
  if (E.isLeft(failures)) return failures
  const known = { summary: summary.right, open: failures.right }
  const runs = await useCases.importRunsPage({ organisation, importSupplier, after: undefined, limit: 1 })
  if (E.isLeft(runs)) return runs
  const [run] = runs.right.items
  if (run === undefined) return E.right({ ...known, latest: undefined })
  return E.map((latest: Standing['latest']): Standing => ({ ...known, latest }))(
    await useCases.importRun({ organisation, id: run.id }),
  )
}

/** The parts add up to the accounts that were received; those that were refused before they were staged are of all runs. */
const funnelOf = ({ summary, open }: Standing) => {
  const { created, staged, inProgress, skipped, failed } = summary
  const refused = failed + open.stage
  const parts: readonly Part[] = [
    { tone: 'good', name: 'Created', count: created },
    { tone: 'info', name: 'Staged, not created yet', count: staged - failed + inProgress },
    { tone: 'soft', name: 'Skipped', count: skipped },
    { tone: 'bad', name: 'Refused', count: refused },
  ]
  const received = created + staged + inProgress + skipped + refused - failed
  return { parts, received, waiting: staged - failed }
}

/** The decisions and repairs that wait for a person. */
const waitingFor = ({ now }: Visit, { status, code }: Supplier, standing: Standing): readonly Html[] => {
  const { latest, open, summary } = standing
  const { waiting } = funnelOf(standing)
  const toCorrect = open.stage + open.process
  // An attempt without a run is counted by the import alone.
  const others = Math.max(0, summary.failed - open.process)
  const state = latest && shownState(latest.run, now)
  const run = latest && html`runs/${encodeURIComponent(latest.run.id)}/`
  const isAtWork = state === 'running'
  return [
    ...(toCorrect > 0
      ? [
          html`${counted(toCorrect, 'refused account')} to correct or dismiss: <a href="failures/${queryText({ supplier: code })}">see why</a>`,
        ]
      : []),
    ...(others > 0 ? [html`${counted(others, 'staged account')} whose latest attempt failed`] : []),
    ...(state === 'interrupted' || state === 'stalled'
      ? [html`The latest run is ${state}: <a href="${run ?? noHtml}">continue or finish it</a>`]
      : []),
    ...(waiting > 0 && !isAtWork ? [html`${counted(waiting, 'staged account')} to process`] : []),
    ...(status === 'paused' ? [html`The supplier ${code} is paused and accepts nothing`] : []),
  ]
}

const statusTones = { ongoing: 'info', paused: 'warn', complete: 'good' } as const

const latestRun = ({ now }: Visit, { run }: NonNullable<Standing['latest']>): Html => html`<div>
  <h3>Latest run</h3>
  <p>
    <a href="runs/${encodeURIComponent(run.id)}/"><bdi>${nameOf(run)}</bdi></a> ${stateChip(run, now)}
    <span class="soft">${timeAgo(run.startedAt, now)} by <bdi>${run.startedBy}</bdi></span>
  </p>
  <div class="numbers">${outcome(run)}</div>
</div>`

const mostCodes = 3

const frequentCodes = ({ frame }: Visit, { run, counts }: NonNullable<Standing['latest']>): Html => {
  const errors = counts.errors.slice(0, mostCodes)
  if (errors.length === 0) return noHtml
  return html`<div>
    <h3>Most frequent errors</h3>
    <ul>
      ${errors.map(
        (error) => html`<li>
          ${errorText(frame, error)}:
          <a href="runs/${encodeURIComponent(run.id)}/${errorQuery(error)}#failures">${counted(error.count, 'account')}</a>
        </li> `,
      )}
    </ul>
  </div>`
}

const cardOf = (visit: Visit, supplier: Supplier, standing: Standing): Html => {
  const { parts, received } = funnelOf(standing)
  const { latest } = standing
  const waiting = waitingFor(visit, supplier, standing)
  const all: Part = { tone: 'soft', name: 'Received', count: received }
  return html`${tiles([all, ...parts])} ${stackedBar(parts)}
    <div class="columns">
      ${latest === undefined ? html`<div><h3>Latest run</h3><p>None yet.</p></div>` : latestRun(visit, latest)}
      ${latest === undefined ? noHtml : frequentCodes(visit, latest)}
      <div>
        <h3>Waits for a person</h3>
        ${waiting.length === 0 ? html`<p>Nothing.</p>` : html`<ul>${waiting.map((text) => html`<li>${text}</li> `)}</ul>`}
      </div>
    </div>`
}

async function* cards(visit: Visit, suppliers: readonly Supplier[]): Parts {
  if (suppliers.length === 0)
    yield emptyState(
      html`Your organisation has no supplier yet. The operator creates one with <code>account-import supplier create</code>.`,
    )
  for (const supplier of suppliers) {
    const { code, status } = supplier
    const standing = await standingOf(visit, code)
    yield html`<section class="card">
      <h2><a href="runs/?${new URLSearchParams({ supplier: code }).toString()}">${code}</a> ${chip(status, statusTones[status])}</h2>
      ${shown(visit, standing, (found) => cardOf(visit, supplier, found))}
    </section> `
  }
}

/** The first page: how far the accounts of each supplier are, and what waits for a person. */
export const overview = async (visit: Visit): Answer => {
  const names = await visit.useCases.usableNames(visit.organisation)
  if (E.isLeft(names)) return names
  return streamed(visit, { title: 'Overview', folder: '' }, cards(visit, names.right.importSuppliers))
}
