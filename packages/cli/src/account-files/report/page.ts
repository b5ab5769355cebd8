import { printable, type Verdict } from '@account-import/account-files'
import { html, Html, lookStyles } from '@account-import/core/html'
import { createHash } from 'node:crypto'

/** The look of all pages, and the parts that only reports have. */
const styles = `${lookStyles}
body{margin:0 auto;max-width:64rem;padding:1.25rem 1rem 3rem}h3{display:inline}section{border-top:1px solid var(--line);margin-top:1.5rem}section h2{margin-top:1.25rem}
.verdict{font-size:1.25rem;font-weight:600}.share{width:25%}details{margin:.5rem 0}nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;padding:0}
@media (max-width:34rem){.share{display:none}dl{display:block}dd{margin-bottom:.5rem}}
@media print{details::details-content{display:block;content-visibility:visible}}
`

/** Forbids all loading and scripts; allows only the style element of this page. */
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'; base-uri 'none'; form-action 'none'`

/** Built without the formatter of templates: white space around the styles would change their hash in the policy. */
const styleElement = new Html(`<style>${styles}</style>`)

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
        <header><span class="brand">Customer Account Import Service</span></header>
        <main>
          <h1>${title}</h1>
          <p class="soft">${lead}</p>
          <p class="verdict callout ${verdict.tone}">${verdict.words}</p>
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

/** A bar for a share of the highest number. Hidden from screen readers, because the number is beside it. */
export const bar = (value: number, highest: number): Html =>
  html`<meter max="${Math.max(1, highest)}" value="${value}" aria-hidden="true"></meter>`
