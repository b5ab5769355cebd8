import { createHash } from 'node:crypto'
import type { OfflineTotals, OfflineJob, RunFacts } from '../offline-run.js'
import { charts } from './charts.js'
import { codeDetails } from './code-details.js'
import { fileFacts, fileTitle, validatedBy, runSection } from './facts.js'
import { html, Html, noHtml } from '@account-import/http-contract'
import { overview } from './overview.js'
import { repeatsSection } from './repeats.js'
import { spreadSection } from './spread.js'
import { styles } from './styles.js'

export type ReportContent = Readonly<{ job: OfflineJob; totals: OfflineTotals; facts: RunFacts }>

/** Nothing may be loaded or run; of styles only the one in this page. */
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'; base-uri 'none'; form-action 'none'`

/** One piece, so that nothing comes between the element and the style whose hash the policy names. */
const styleElement = new Html(`<style>${styles}</style>`)

const link = (shown: boolean, to: string, words: string): Html =>
  shown ? html`<li><a href="#${to}">${words}</a></li>` : noHtml

const contents = ({ codes, repeats, failed }: OfflineTotals): Html => {
  const has = (severity: string): boolean => codes.some((code) => code.severity === severity)
  return html`<nav aria-label="Contents">
    <ul>
      ${link(true, 'outcome', 'Outcome')}${link(has('error'), 'errors-by-code', 'Errors by code and field')}${link(failed > 0, 'spread', 'Errors per account')}${link(repeats.count > 0, 'repeats', 'Repeated accounts')}${link(has('error'), 'errors', 'What to correct')}${link(has('warning'), 'warnings', 'What to look at')}${link(true, 'validated-by', 'Validated by')}${link(true, 'file', 'File')}
    </ul>
  </nav>`
}

/** The report as one HTML page that needs nothing else; no value of an account is in it. */
export const reportPage = ({ job, totals, facts }: ReportContent): string => {
  const { codes, accounts } = totals
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>Validation of ${fileTitle(job)}</title>
        ${styleElement}
      </head>
      <body>
        <main>
          <header>
            <h1>Validation of ${fileTitle(job)}</h1>
            <p class="soft">Customer accounts checked offline, before their import</p>
            ${contents(totals)}
          </header>
          ${overview(totals)}${charts(codes, 'error')}${spreadSection(totals)}${repeatsSection(totals)}${codeDetails(codes, 'error')}${charts(codes, 'warning')}${codeDetails(codes, 'warning')}${validatedBy(job)}${fileFacts(job, totals)}${runSection(facts, accounts)}
        </main>
      </body>
    </html> `.text
}
