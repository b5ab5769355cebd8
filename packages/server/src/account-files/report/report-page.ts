import { createHash } from 'node:crypto'
import type { FileTotals } from '../file-totals.js'
import { charts } from './charts.js'
import { codeDetails } from './code-details.js'
import { html, Html, noHtml } from '@account-import/http-contract'
import { repeatsSection } from './repeats.js'
import { spreadSection } from './spread.js'
import { styles } from './styles.js'

/** What is said of a run besides what its file holds. */
export type ReportContent = Readonly<{
  title: string
  lead: string
  totals: FileTotals
  overview: Html
  /** Where a table of every line was written; else the option that writes it. */
  errors: string | undefined
  /** By what the file was checked. */
  ground: Readonly<{ id: string; title: string; section: Html }>
  /** Which file, and how the run went. */
  closing: Html
}>

/** Nothing may be loaded or run; of styles only the one in this page. */
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'; base-uri 'none'; form-action 'none'`

/** One piece, so that nothing comes between the element and the style whose hash the policy names. */
const styleElement = new Html(`<style>${styles}</style>`)

const link = (shown: boolean, to: string, words: string): Html =>
  shown ? html`<li><a href="#${to}">${words}</a></li>` : noHtml

const contents = ({ totals: { codes, repeats, failed }, ground }: ReportContent): Html => {
  const has = (severity: string): boolean => codes.some((code) => code.severity === severity)
  return html`<nav aria-label="Contents">
    <ul>
      ${link(true, 'outcome', 'Outcome')}${link(has('error'), 'errors-by-code', 'Errors by code and field')}${link(has('error'), 'errors', 'What to correct')}${link(failed > 0, 'spread', 'Errors per account')}${link(repeats.count > 0, 'repeats', 'Repeated accounts')}${link(has('warning'), 'warnings', 'What to look at')}${link(codes.length > 0, 'every-line', 'Every line')}${link(true, ground.id, ground.title)}${link(true, 'file', 'File')}
    </ul>
  </nav>`
}

/** How to get what is only counted here. */
const everyLine = ({ errors, totals: { codes } }: ReportContent): Html =>
  codes.length === 0
    ? noHtml
    : html`<section id="every-line">
        <h2>Every line</h2>
        <p>
          Below each code stand the fields and the first lines that have it. A table of all lines, with account number,
          code and field, ${errors === undefined ? html`is written with the option <code>--errors FILE</code>` : html`was written to <code>${errors}</code>`}.
        </p>
      </section> `

/** The report as one HTML page that needs nothing else; no value of an account is in it. */
export const reportPage = (content: ReportContent): string => {
  const { title, lead, totals, overview, ground, closing } = content
  const { codes } = totals
  return html`<!doctype html>
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
          <header>
            <h1>${title}</h1>
            <p class="soft">${lead}</p>
            ${contents(content)}
          </header>
          ${overview}${charts(codes, 'error')}${codeDetails(codes, 'error')}${spreadSection(totals)}${repeatsSection(totals)}${charts(codes, 'warning')}${codeDetails(codes, 'warning')}${everyLine(content)}${ground.section}${closing}
        </main>
      </body>
    </html> `.text
}
