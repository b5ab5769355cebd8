import type { RunCounts, RunFailure, ShownRun } from '@account-import/core'
import { toWireDatetime } from '@account-import/core/adapter-kit'
import { html, type Html, noHtml } from '@account-import/core/html'
import type { Problem } from '@account-import/http-contract'

/**
 * `root`: the relative address of the folder of `runs/` and `docs/`; `hasPage`: whether the documentation has a page of a code.
 */
export type PageFrame = Readonly<{ root: string; hasPage: (name: string) => boolean }>

const product = 'Customer Account Import Service'

/** While the page is `live`, the script updates the `parts` that have an `id`. `isHeaded`: the parts have the first heading. */
type Page = Readonly<{
  title: string
  parts: Html
  live?: boolean
  isLoggedIn?: boolean
  isList?: boolean
  isHeaded?: boolean
}>

// Without scripts the whole page is reloaded, which loses the scroll position, so it is reloaded less often.
const refresh = html`<noscript><meta http-equiv="refresh" content="15" /></noscript>`

const wholePage = (
  { root }: PageFrame,
  { title, parts, live = false, isLoggedIn = false, isList = false, isHeaded = false }: Page,
): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} - ${product}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${root}docs/site.css" />
        <script src="${root}docs/runs.js" type="module"></script>
        ${live ? refresh : noHtml}
      </head>
      <body class="runs">
        <header>
          <a class="brand" href="${root}docs/">${product}</a>
          <nav aria-label="Breadcrumb">
            <ol>
              <li><a href="${root}docs/">Documentation</a></li>
              ${isList ? noHtml : html`<li><a href="${root}runs/">Import runs</a></li>`}
              <li aria-current="page"><bdi>${title}</bdi></li>
            </ol>
          </nav>
          ${isLoggedIn ? html`<form method="post" action="${root}runs/log-out/"><button>Log out</button></form>` : noHtml}
        </header>
        <main${live ? html` data-live` : noHtml}>
          ${isHeaded ? noHtml : html`<h1><bdi>${title}</bdi></h1>`}
          ${parts}
        </main>
        <footer>${product}</footer>
      </body>
    </html> `.text

const numbers = new Intl.NumberFormat('en')
const numberText = (value: number): string => numbers.format(value)

const time = (at: ShownRun['startedAt'] | undefined): Html => {
  if (at === undefined) return html`–`
  const text = toWireDatetime(at)
  const shown = text.replace('T', ' ').replace('Z', ' UTC')
  return html`<time datetime="${text}" title="${shown}">${shown}</time>`
}

const code = ({ root, hasPage }: PageFrame, name: string): Html =>
  hasPage(name)
    ? html`<a href="${root}docs/errors/${name}/"><code>${name}</code></a>`
    : html`<code>${name}</code>`

/** The tone of each state. */
const tones: Readonly<Record<ShownRun['state'], string>> = {
  running: 'info',
  finished: 'good',
  interrupted: 'warn',
  undone: 'soft',
  partly_undone: 'soft',
}

const chip = ({ state }: ShownRun): Html =>
  html`<span class="chip ${tones[state]}">${state.replace('_', ' ')}</span>`

/** `37 s`, `12 min 5 s`, `3 h 20 min`. */
const durationText = (seconds: number): string => {
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)]
  if (hours > 0) return `${numberText(hours)} h ${minutes % 60} min`
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`
}

/** A bar of parts in their tones. Hidden from screen readers: the numbers are beside it. */
const bar = (parts: readonly (readonly [tone: string, count: number])[]): Html => {
  let all = 0
  const rects = parts.map(([tone, count]) => {
    const x = all
    // Counts are read one after another while the run goes on, so a difference can be below zero.
    const width = Math.max(0, count)
    all += width
    return html`<rect class="${tone}" x="${x}" width="${width}" height="1" />`
  })
  return html`<svg class="bar" viewBox="0 0 ${Math.max(1, all)} 1" preserveAspectRatio="none" aria-hidden="true">${rects}</svg>`
}

const nameOf = ({ label, source, id }: ShownRun): string => label ?? source?.name ?? id

type Column = readonly [name: string, kind?: 'num']

/** A table in a box that scrolls where it is too wide. The first column names the rows. */
const table = (caption: string, columns: readonly Column[], rows: readonly (readonly Html[])[]): Html => {
  const kind = (at: number): Html => (columns[at]?.[1] === undefined ? noHtml : html` class="num"`)
  return html`<div class="table" role="group" tabindex="0" aria-label="${caption}">
    <table>
      <caption>${caption}</caption>
      <thead>
        <tr>${columns.map(([name], at) => html`<th scope="col"${kind(at)}>${name}</th>`)}</tr>
      </thead>
      <tbody>
        ${rows.map(
          ([name = noHtml, ...cells]) =>
            html`<tr><th scope="row">${name}</th>${cells.map((cell, at) => html`<td${kind(at + 1)}>${cell}</td>`)}</tr> `,
        )}
      </tbody>
    </table>
  </div>`
}

const onward = (links: readonly Html[]): Html =>
  links.length === 0 ? noHtml : html`<p class="onward">${links.map((link) => html`${link} `)}</p>`

/** Created, refused and undone accounts of a run. An undone account was created before. */
const outcome = ({ totals: { created, refused }, undone }: ShownRun): Html => {
  const gone = undone?.count ?? 0
  return html`${numberText(created)} created · ${numberText(refused)} refused${gone === 0 ? '' : ` · ${numberText(gone)} undone`}
  ${bar([
    ['good', created - gone],
    ['soft', gone],
    ['bad', refused],
  ])}`
}

const runItem = (run: ShownRun): Html => html`<li>
  <div>
    <a href="./${encodeURIComponent(run.id)}/"><bdi>${nameOf(run)}</bdi></a><br />
    <span class="soft">${run.importSupplier} · <bdi>${run.startedBy}</bdi></span>
  </div>
  <div>${chip(run)}</div>
  <div>${outcome(run)}</div>
  <div>${time(run.startedAt)} <span class="soft">· ${durationText(run.seconds)}</span></div>
</li> `

/** A page of a list. `next`: the cursor of the page after this one. */
type Listed<Item> = Readonly<{ items: readonly Item[]; isFirst: boolean; next: string | undefined }>

/** The list of runs, the latest first. New runs appear on its first page. */
export const runsPage = (frame: PageFrame, { items: runs, isFirst, next }: Listed<ShownRun>): string => {
  const running = runs.filter((run) => run.state === 'running').length
  const list =
    runs.length === 0
      ? html`<p class="callout info">There is no run here. The command <code>account-import import</code> opens one: <a href="${frame.root}docs/how-to/watch-a-run/">watch a run</a>.</p>`
      : html`<ol class="list">${runs.map(runItem)}</ol>`
  return wholePage(frame, {
    title: 'Import runs',
    isList: true,
    isLoggedIn: true,
    live: isFirst,
    parts: html`<p id="now" role="status">Runs shown: ${numberText(runs.length)}, running: ${numberText(running)}</p>
      <section id="list">
        ${list}${onward(next === undefined ? [] : [html`<a href="?cursor=${next}">Earlier runs</a>`])}
      </section>`,
  })
}

const factsOf = (run: ShownRun): Html => {
  const facts: readonly (readonly [string, Html])[] = [
    ['Supplier', html`${run.importSupplier}`],
    ['Label', html`<bdi>${run.label ?? '–'}</bdi>`],
    ['File', html`<bdi>${run.source?.name ?? '–'}</bdi>`],
    ['SHA-256 of the file', html`${run.source?.sha256 ?? '–'}`],
    ['Opened by', html`<bdi>${run.startedBy}</bdi>`],
    ['Started', time(run.startedAt)],
    ['Latest request', time(run.latestRequestAt)],
    ['Latest progress', time(run.latestProgressAt)],
    ['Finished', time(run.finishedAt)],
    ['Duration', html`${durationText(run.seconds)}`],
    ['Id', html`${run.id}`],
  ]
  return html`<dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt> <dd>${value}</dd> `)}</dl>`
}

const progress = ({ undone }: ShownRun, { staged, created, failed }: RunCounts): Html => {
  const gone = undone?.count ?? 0
  const refused = failed.stage + failed.process
  const tiles: readonly (readonly [string, number, string?])[] = [
    ['Staged', staged, 'info'],
    ['Created', created, 'good'],
    ...(undone === undefined ? [] : [['Undone', gone, 'soft'] as const]),
    ['Refused', refused, 'bad'],
    ['Refused when staged', failed.stage],
    ['Refused when processed', failed.process],
  ]
  return html`<section id="progress">
    <h2>Progress</h2>
    ${bar([
      ['good', created - gone],
      ['soft', gone],
      ['info', staged - created - failed.process],
      ['bad', refused],
    ])}
    <dl class="tiles">${tiles.map(
      ([name, count, tone]) =>
        html`<div><dt${tone === undefined ? noHtml : html` class="${tone}"`}>${name}</dt> <dd>${numberText(count)}</dd></div> `,
    )}</dl>
  </section>`
}

const errors = (frame: PageFrame, counts: RunCounts): Html => {
  const columns: readonly Column[] = [['Code'], ['Field'], ['Step'], ['Accounts', 'num']]
  const rows = counts.errors.map((error) => [
    code(frame, error.code),
    error.field === '' ? html`–` : html`<code><bdi>${error.field}</bdi></code>`,
    html`${error.step}`,
    html`${numberText(error.count)}`,
  ])
  return html`<section id="errors">
    <h2>Most frequent errors</h2>
    ${rows.length === 0 ? html`<p>None.</p>` : table('Codes and fields by the number of accounts', columns, rows)}
  </section>`
}

const failureRow = (frame: PageFrame, failure: RunFailure): readonly Html[] => {
  const found = failure.findings.map((finding) => finding.code)
  const names = new Set(found.length === 0 ? [failure.code] : found)
  return [
    html`<bdi>${failure.externalAccountNumber ?? '–'}</bdi>`,
    html`${failure.line === undefined ? '–' : numberText(failure.line)}`,
    html`${failure.step}`,
    html`${[...names].map((name) => html`${code(frame, name)} `)}`,
  ]
}

const failuresOf = (frame: PageFrame, run: ShownRun, { items, isFirst, next }: Listed<RunFailure>): Html => {
  const columns: readonly Column[] = [['Account number'], ['Line', 'num'], ['Step'], ['Codes']]
  const none = isFirst ? html`<p>None.</p>` : html`<p>No more.</p>`
  const removed = html`<p>They were removed ${time(run.failuresRemovedAt)}, after the retention of the supplier.</p>`
  const rows = items.map((failure) => failureRow(frame, failure))
  const list = rows.length === 0 ? none : table('Refused accounts by step, line and number', columns, rows)
  return html`<section id="failures">
    <h2>Refused accounts</h2>
    ${run.failuresRemovedAt === undefined ? list : removed}
    ${onward([
      ...(isFirst ? [] : [html`<a href="./">First page</a>`]),
      ...(next === undefined ? [] : [html`<a href="?cursor=${next}">Next page</a>`]),
    ])}
  </section>`
}

/** One run, with a page of its failures. */
export const runPage = (
  frame: PageFrame,
  { run, counts }: Readonly<{ run: ShownRun; counts: RunCounts }>,
  failures: Listed<RunFailure>,
): string => {
  const { undone } = run
  const undoneText =
    undone === undefined
      ? noHtml
      : html`, ${numberText(undone.count)} undone, the latest ${time(undone.latestAt)} by <bdi>${undone.latestBy}</bdi>`
  return wholePage(frame, {
    title: nameOf(run),
    isLoggedIn: true,
    live: run.finishedAt === undefined,
    parts: html`<p id="now" role="status">${chip(run)} ${numberText(counts.staged)} staged, ${numberText(counts.created)} created, ${numberText(run.totals.refused)} refused${undoneText}${run.state === 'interrupted' ? '. No request named the run for ten minutes. The next one continues it.' : ''}</p>
      ${progress(run, counts)} ${errors(frame, counts)} ${failuresOf(frame, run, failures)}
      <section id="facts"><h2>Run</h2>${factsOf(run)}</section>`,
  })
}

/** Texts for browsers. Those of the catalogue are for programs, which send a token in a header. */
const words: Readonly<Record<string, string>> = {
  authentication_failed: 'The key or the login is not valid, or has ended.',
  token_expired: 'The login has ended. Log in again.',
  permission_denied: 'The key has not the scope read, or the form did not come from a page of this service.',
  import_run_does_not_exist: 'There is no such import run.',
}

const login = (alert: Html): Html => html`<form method="post" class="login card">
  <h1>Log in</h1>
  ${alert}
  <label for="api_key">API key</label>
  <input id="api_key" name="api_key" type="password" autocomplete="off" required maxlength="200" />
  <button class="primary">Log in</button>
  <p class="soft">A key needs the scope <code>read</code>. The operator creates one with <code>account-import api-key create</code>.</p>
  <p class="soft">The browser keeps the login for an hour at most, and only where it reached this page by HTTPS or on this machine.</p>
</form>`

const canLogIn = new Set([401, 403])

/** The page for a refused request, with the login form if another key could help. */
export const refusalPage = (frame: PageFrame, { status, body, headers }: Problem): string => {
  const isLogin = canLogIn.has(status) || body.code === 'throttled'
  const wait = headers['Retry-After']
  const isFirst = body.code === 'not_authenticated'
  const alert = html`<p class="callout bad" role="alert">
    ${words[body.code] ?? body.detail} ${code(frame, body.code)}
    ${wait === undefined ? noHtml : html` Try again in ${wait} seconds.`}
  </p>`
  return wholePage(frame, {
    title: isLogin ? 'Log in' : 'This page cannot be shown',
    isHeaded: isLogin,
    parts: isLogin ? login(isFirst ? noHtml : alert) : alert,
  })
}
