import { html } from '@account-import/http-contract'
import type { FileTotals, RunFacts } from '../account-files/file-totals.js'
import type { OfflineJob } from './offline-job.js'
import { errorsTitle, fileFacts, fileTitle, runSection } from '../account-files/report/facts.js'
import { overview } from './overview.js'
import { validatedBy } from './validated-by.js'
import { reportPage } from '../account-files/report/report-page.js'

/** The report of an offline check. */
export const offlineReport = (job: OfflineJob, totals: FileTotals, facts: RunFacts): string =>
  reportPage({
    title: `Validation of ${fileTitle(job.file)}`,
    lead: 'Customer accounts checked offline, before their import',
    totals,
    errors: errorsTitle(job.outputs),
    overview: overview(totals),
    ground: { id: 'validated-by', title: 'Validated by', section: validatedBy(job) },
    closing: html`${fileFacts(job.file, totals)}${runSection(facts, totals.accounts)}`,
  })
