import { html } from '@account-import/http-contract'
import type { OfflineJob, OfflineTotals, RunFacts } from '../offline-run.js'
import { fileFacts, fileTitle, runSection, validatedBy } from './facts.js'
import { overview } from './overview.js'
import { reportPage } from './report-page.js'

/** The report of an offline check. */
export const offlineReport = (job: OfflineJob, totals: OfflineTotals, facts: RunFacts): string =>
  reportPage({
    title: `Validation of ${fileTitle(job.file)}`,
    lead: 'Customer accounts checked offline, before their import',
    totals,
    overview: overview(totals),
    ground: { id: 'validated-by', title: 'Validated by', section: validatedBy(job) },
    closing: html`${fileFacts(job.file, totals)}${runSection(facts, totals.accounts)}`,
  })
