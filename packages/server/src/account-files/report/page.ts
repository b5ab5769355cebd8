import { createHash } from 'node:crypto'
import { html, Html, noHtml } from '@account-import/core/adapter-kit'
import { printable } from '../../printable.js'

/** The styles of a page, for light and dark screens, phone and paper, without external fonts or pictures. */
const styles = `
:root{color-scheme:light dark;--page:#fff;--ink:#1b2430;--soft:#5a6675;--line:#d9dee5;--bad:#b3261e;--warn:#8a5a10;--good:#1b6a49;--accent:#2b5fb3}
@media (prefers-color-scheme:dark){:root{--page:#14181e;--ink:#e6ebf1;--soft:#a3afbd;--line:#37414d;--bad:#f0877d;--warn:#e3b04f;--good:#6fcfa3;--accent:#8fb7f7}}
body{margin:0 auto;max-width:1000px;padding:24px 16px 48px;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1,h2,h3{line-height:1.25;margin:0 0 6px}h2{font-size:19px}h3{font-size:16px;display:inline}p{margin:0 0 10px}
a,summary{color:var(--accent)}code{font:13px/1.45 ui-monospace,Menlo,Consolas,monospace}
.soft,caption,thead th,dt{color:var(--soft)}.bad{color:var(--bad)}.warn{color:var(--warn)}.good{color:var(--good)}
section{border-top:1px solid var(--line);padding:16px 0;margin:16px 0 0}.verdict{font-size:19px;font-weight:600;margin:16px 0}
table{border-collapse:collapse;width:100%;font-size:14px;margin:0 0 12px}caption{text-align:left;padding:0 0 6px}
th,td{text-align:left;font-weight:400;vertical-align:top;padding:5px 10px 5px 0;border-bottom:1px solid var(--line)}
thead th{overflow-wrap:normal}.num{text-align:right;font-variant-numeric:tabular-nums}.bar{width:25%}
meter{width:100%}meter::-webkit-meter-optimum-value{background:var(--accent)}meter::-moz-meter-bar{background:var(--accent)}
dl{display:grid;grid-template-columns:minmax(110px,max-content) 1fr;gap:4px 18px;margin:0}dd{margin:0}
details{margin:8px 0}summary{cursor:pointer}:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
nav ul{display:flex;flex-wrap:wrap;gap:4px 18px;list-style:none;margin:0;padding:0}
@media (max-width:560px){.bar{display:none}dl{display:block}dd{margin-bottom:8px}}
@media print{:root{color-scheme:light;--page:#fff;--ink:#111;--soft:#444;--line:#bbb;--bad:#a5281f;--warn:#8a5a10;--good:#1b6a49;--accent:#111}
nav{display:none}tr{break-inside:avoid}details::details-content{display:block;content-visibility:visible}}
`

/** Forbids all loading and scripts; allows only the style element of this page. */
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'; base-uri 'none'; form-action 'none'`

/** Built without the formatter of templates: white space around the styles would change their hash in the policy. */
const styleElement = new Html(`<style>${styles}</style>`)

/** The outcome in a sentence, and its tone. */
export type Verdict = Readonly<{ tone: 'good' | 'warn' | 'bad'; words: string }>

/** A part of a page with a heading and a link in the contents. */
export type Section = Readonly<{ id: string; title: string; body: Html }>

/**
 * One self-contained HTML page: title, lead, verdict, contents and sections. Characters that steer a terminal or turn the
 * direction of writing are shown escaped, whatever text they come in.
 */
export const wholePage = (
  title: string,
  lead: string,
  verdict: Verdict,
  sections: readonly Section[],
): string =>
  printable(
    html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        ${styleElement}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          <p class="soft">${lead}</p>
          <p class="verdict ${verdict.tone}">${verdict.words}</p>
          <nav aria-label="Contents">
            <ul>
              ${sections.map(({ id, title: name }) => html`<li><a href="#${id}">${name}</a></li> `)}
            </ul>
          </nav>
          ${sections.map(
            ({ id, title: name, body }) =>
              html`<section id="${id}">
                <h2>${name}</h2>
                ${body}
              </section> `,
          )}
        </main>
      </body>
    </html> `.text,
  )

export type Fact = readonly [name: string, value: string | Html]

/** Names and values under each other. */
export const factList = (facts: readonly Fact[]): Html =>
  html`<dl>
    ${facts.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd> `,
    )}
  </dl>`

/** A column: `num` has right-aligned numbers; `bar` has their bars, and no name. */
type Column = readonly [name: string, kind?: 'num' | 'bar']

const classOf = (kind: Column[1]): Html => (kind === undefined ? noHtml : html` class="${kind}"`)

/** A table whose first column names its rows. */
export const dataTable = (
  columns: readonly Column[],
  rows: readonly (readonly (string | Html)[])[],
  caption?: string,
): Html =>
  html`<table>
    ${caption === undefined ? noHtml : html`<caption>${caption}</caption> `}<thead>
      <tr>
        ${columns.map(([name, kind]) => (name === '' ? html`<td${classOf(kind)}></td> ` : html`<th scope="col"${classOf(kind)}>${name}</th> `))}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([name = '', ...cells]) =>
          html`<tr>
            <th scope="row">${name}</th>
            ${cells.map((cell, at) => html`<td${classOf(columns[at + 1]?.[1])}>${cell}</td> `)}
          </tr> `,
      )}
    </tbody>
  </table>`

/** A bar for a share of the highest number. Hidden from screen readers, because the number is beside it. */
export const bar = (value: number, highest: number): Html =>
  html`<meter max="${Math.max(1, highest)}" value="${value}" aria-hidden="true"></meter>`
