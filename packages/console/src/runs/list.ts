import { durationText } from '@account-import/account-files'
import {
  instantOf,
  type RunPlace,
  type RunState,
  type ShownRun,
  type UsableNames,
  runStates,
} from '@account-import/core'
import { E } from '@account-import/core/fp'
import { html, type Html } from '@account-import/core/html'
import { addressCodecs, cursorText, runPlaceText } from '@account-import/http-contract'
import { choice, emptyState, links, nameOf, outcome, stateChip, timeAgo } from '../components.js'
import {
  alertOf,
  type Answer,
  decodedBy,
  given,
  oneOf,
  type Parts,
  queryText,
  streamed,
  type Visit,
} from '../route.js'

const runItem = (run: ShownRun, now: number): Html => html`<li>
  <div>
    <a href="./${encodeURIComponent(run.id)}/"><bdi>${nameOf(run)}</bdi></a><br />
    <span class="soft">${run.importSupplier} · <bdi>${run.startedBy}</bdi></span>
  </div>
  <div>${stateChip(run, now)}</div>
  <div>${outcome(run)}</div>
  <div>${timeAgo(run.startedAt, now)} <span class="soft">· ${durationText(run.seconds)}</span></div>
</li> `

/** The periods by which the list is filtered, in days. */
const periods = ['1', '7', '30', '365'] as const

const periodTexts = { 1: 'The last day', 7: 'The last 7 days', 30: 'The last 30 days', 365: 'The last year' }

const filterForm = (
  { importSuppliers }: UsableNames,
  chosen: Readonly<Record<'supplier' | 'state' | 'days', string | undefined>>,
): Html => html`<form method="get" class="filter">
  ${choice('supplier', 'Supplier', [['', 'All'], ...importSuppliers.map(({ code }) => [code, code] as const)], chosen.supplier ?? '')}
  ${choice('state', 'State', [['', 'All'], ...runStates.map((state) => [state, state.replace('_', ' ')] as const)], chosen.state ?? '')}
  ${choice('days', 'Begun', [['', 'At any time'], ...periods.map((days) => [days, periodTexts[days]] as const)], chosen.days ?? '')}
  <button>Show</button>
</form>`

const mostShown = 50

const daySeconds = 86_400

/** The runs, the latest first, filtered by the query. */
export const runList = async (visit: Visit): Answer => {
  const { useCases, organisation } = visit
  const [supplier, cursor] = [given(visit, 'supplier'), given(visit, 'cursor')]
  const asked = decodedBy(addressCodecs.runs, { import_supplier: supplier, cursor })
  if (E.isLeft(asked)) return asked
  const state = oneOf(visit, 'state', runStates)
  if (E.isLeft(state)) return state
  const days = oneOf(visit, 'days', periods)
  if (E.isLeft(days)) return days
  const names = await useCases.usableNames(organisation)
  if (E.isLeft(names)) return names
  const chosen = { supplier, state: state.right, days: days.right }
  return streamed(
    visit,
    { title: 'Runs', folder: 'runs/' },
    listParts(visit, filterForm(names.right, chosen), chosen, asked.right.cursor),
  )
}

type Chosen = Readonly<{
  supplier: string | undefined
  state: RunState | undefined
  days: string | undefined
}>

async function* listParts(visit: Visit, form: Html, chosen: Chosen, after: RunPlace | undefined): Parts {
  const { useCases, organisation, now } = visit
  yield form
  const runs = await useCases.importRunsPage({
    organisation,
    importSupplier: chosen.supplier,
    state: chosen.state,
    ...(chosen.days && { startedFrom: instantOf(now - Number(chosen.days) * daySeconds * 1000) }),
    after,
    limit: mostShown,
  })
  if (E.isLeft(runs)) return yield alertOf(visit, runs.left)
  const { items, next } = runs.right
  const isFiltered = Object.values(chosen).some((value) => value !== undefined)
  const none = isFiltered
    ? html`No run matches. <a href="./">Show all runs</a>`
    : html`There is no run yet. <a href="../check/">Check a file</a>, or import one with <code>account-import import</code>.`
  const list =
    items.length === 0
      ? emptyState(none)
      : html`<ol class="list">${items.map((run) => runItem(run, now))}</ol>`
  yield html`${list}
    ${links([
      after && html`<a href="${queryText(chosen)}">Latest runs</a>`,
      next &&
        html`<a href="${queryText({ ...chosen, cursor: cursorText(runPlaceText(next)) })}">Earlier runs</a>`,
    ])}`
}
