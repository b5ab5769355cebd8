import { fieldWords, numberText } from '@account-import/account-files'
import type { Instant, RunError, ShownRun } from '@account-import/core'
import { interruptedAfterSeconds, toWireDatetime } from '@account-import/core/adapter-kit'
import { type Column, dataTable, html, type Html, noHtml, stackedBar } from '@account-import/core/html'
import type { Frame } from './layout.js'

/** A code, with a link to its page in the documentation. Codes of markets that a host adds have no page. */
export const codeLink = ({ root, hasPage }: Pick<Frame, 'root' | 'hasPage'>, code: string): Html =>
  hasPage(code)
    ? html`<a href="${root}docs/errors/${code}/"><code>${code}</code></a>`
    : html`<code>${code}</code>`

/** An error in words: its code, and the field that it concerns, whose path is the title. */
export const errorText = (
  frame: Pick<Frame, 'root' | 'hasPage'>,
  { code, field }: Pick<RunError, 'code' | 'field'>,
): Html =>
  html`${codeLink(frame, code)}${field === '' ? noHtml : html` in <bdi title="${field}">${fieldWords(field)}</bdi>`}`

const steps = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 365],
  ['year', Number.POSITIVE_INFINITY],
] as const

/** `now`, `5 minutes ago`, `2 days ago`. */
const agoText = (seconds: number): string => {
  let value = Math.max(0, Math.floor(seconds))
  if (value < 5) return 'now'
  for (const [unit, size] of steps) {
    if (value < size) return `${numberText(value)} ${unit}${value === 1 ? '' : 's'} ago`
    value = Math.floor(value / size)
  }
  return ''
}

/** A time, as long ago as it was at `now`, with the exact one as its title. */
export const timeAgo = (at: Instant | undefined, now: number): Html => {
  if (at === undefined) return html`–`
  const text = toWireDatetime(at)
  const exact = text.replace('T', ' ').replace('Z', ' UTC')
  return html`<time datetime="${text}" title="${exact}">${agoText((now - Date.parse(text)) / 1000)}</time>`
}

/** The exact time. */
export const timeText = (at: Instant): Html => {
  const text = toWireDatetime(at)
  return html`<time datetime="${text}">${text.replace('T', ' ').replace('Z', ' UTC')}</time>`
}

/** The tone of each state. */
const tones = {
  running: 'info',
  finished: 'good',
  interrupted: 'warn',
  stalled: 'warn',
  undone: 'soft',
  partly_undone: 'soft',
} as const

/** The state that people see: a running run without progress for ten minutes is stalled. */
export const shownState = ({ state, latestProgressAt }: ShownRun, now: number): keyof typeof tones =>
  state === 'running' && now - Date.parse(latestProgressAt) > interruptedAfterSeconds * 1000
    ? 'stalled'
    : state

export const stateChip = (run: ShownRun, now: number): Html => {
  const state = shownState(run, now)
  return chip(state.replace('_', ' '), tones[state])
}

export const chip = (text: string, tone: 'good' | 'bad' | 'warn' | 'info' | 'soft'): Html =>
  html`<span class="chip ${tone}">${text}</span>`

/** A part of a bar with its name. */
export type Part = Readonly<{ tone: string; name: string; count: number }>

/** The parts of a bar as numbers with their names. */
export const tiles = (parts: readonly Part[]): Html =>
  html`<dl class="tiles">${parts.map(
    ({ tone, name, count }) =>
      html`<div><dt class="${tone}">${name}</dt> <dd>${numberText(count)}</dd></div> `,
  )}</dl>`

/** Created, refused and undone accounts of a run. An undone account was created before. */
export const outcome = ({ totals: { created, refused }, undone, source }: ShownRun): Html => {
  const gone = undone?.count ?? 0
  return html`${numberText(created)} created · ${numberText(refused)} refused${gone === 0 ? '' : ` · ${numberText(gone)} undone`}${source?.accounts === undefined ? '' : ` · ${numberText(source.accounts)} in the file`}
  ${stackedBar(
    [
      { tone: 'good', count: created - gone },
      { tone: 'soft', count: gone },
      { tone: 'bad', count: refused },
    ],
    source?.accounts,
  )}`
}

export const nameOf = ({ label, source, id }: Pick<ShownRun, 'label' | 'source' | 'id'>): string =>
  label ?? source?.name ?? id

/** A table in a box that scrolls where it is too wide. The first column names the rows. */
export const table = (
  caption: string,
  columns: readonly Column[],
  rows: readonly (readonly Html[])[],
): Html =>
  html`<div class="table" role="group" tabindex="0" aria-label="${caption}">${dataTable(columns, rows, caption)}</div>`

export const facts = (list: readonly (readonly [name: string, value: Html])[]): Html =>
  html`<dl class="facts">${list.map(([name, value]) => html`<dt>${name}</dt> <dd>${value}</dd> `)}</dl>`

/** The place of a list without items. */
export const emptyState = (text: Html): Html => html`<p class="empty soft">${text}</p>`

export const links = (all: readonly (Html | undefined)[]): Html => {
  const shown = all.flatMap((link) => link ?? [])
  return shown.length === 0 ? noHtml : html`<p class="onward">${shown.map((link) => html`${link} `)}</p>`
}

/** A field to choose one of several values; the empty value is the first. */
export const choice = (
  name: string,
  label: string,
  options: readonly (readonly [value: string, text: string])[],
  chosen: string,
): Html =>
  html`<label>${label} <select name="${name}">${options.map(
    ([value, text]) =>
      html`<option value="${value}"${value === chosen ? html` selected` : noHtml}>${text}</option>`,
  )}</select></label>`
