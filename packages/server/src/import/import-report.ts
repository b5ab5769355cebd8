import { html, noHtml, type Html } from '@account-import/http-contract'
import type { FileTotals, RunFacts } from '../account-files/file-totals.js'
import { errorsTitle, factList, fileFacts, fileTitle, runSection } from '../account-files/report/facts.js'
import { counted, numberText, shareText } from '../account-files/report/numbers.js'
import { tile } from '../account-files/report/tile.js'
import { reportPage } from '../account-files/report/report-page.js'
import type { ImportJob } from './import-job.js'
import { lineStates, type LineState } from './line-outcome.js'

const words: Readonly<Record<LineState, string>> = {
  valid: 'Valid',
  staged: 'Staged',
  created: 'Created',
  existing: 'Created before',
  failed: 'Failed',
}

const verdict = (states: Readonly<Record<LineState, number>>, accounts: number): Html => {
  const tone = accounts === 0 ? 'warn' : states.failed > 0 ? 'bad' : 'good'
  const failed = `${counted(states.failed, 'account')} of ${numberText(accounts)} failed.`
  const all = accounts === 0 ? 'The file holds no account.' : 'No account failed.'
  return html`<section class="verdict ${tone}"><p>${states.failed > 0 ? failed : all}</p></section>`
}

const outcome = (states: Readonly<Record<LineState, number>>, { accounts, lines }: FileTotals): Html =>
  html`${verdict(states, accounts)}
    <dl class="tiles" id="outcome">
      ${tile('', 'Accounts', numberText(accounts), `${counted(lines, 'line')} in the file`)}${lineStates.map(
        (state) =>
          states[state] === 0 && state !== 'failed'
            ? noHtml
            : tile(
                state === 'failed' ? 'bad' : 'good',
                words[state],
                numberText(states[state]),
                shareText(states[state], accounts),
              ),
      )}
    </dl>`

/** The report of an import, as that of an offline check is. */
export const importReport = (
  job: ImportJob,
  states: Readonly<Record<LineState, number>>,
  totals: FileTotals,
  facts: RunFacts,
): string =>
  reportPage({
    title: `${job.dryRun ? 'Trial import' : 'Import'} of ${fileTitle(job.file)}`,
    lead: 'Customer accounts brought to the import service',
    totals,
    errors: errorsTitle(job.outputs),
    overview: outcome(states, totals),
    ground: {
      id: 'imported-by',
      title: 'Imported by',
      section: html`<section id="imported-by">
        <h2>Imported by</h2>
        ${factList([
          ['Service', job.url],
          ['Operations team', job.team ?? 'none'],
          ['Step', job.only ?? 'stage, then process'],
        ])}
      </section> `,
    },
    closing: html`${fileFacts(job.file, totals)}${runSection(facts, totals.accounts, 'Requests in flight')}`,
  })
