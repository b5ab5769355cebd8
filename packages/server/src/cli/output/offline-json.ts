import type { OfflineJob } from '../../offline/offline-job.js'
import type { OfflineOutcome } from '../../offline/run-offline.js'
import type { CodeCount, FindingSeverity } from '../../account-files/counts.js'

const counts = (codes: readonly CodeCount[], wanted: FindingSeverity) =>
  codes
    .filter(({ severity }) => severity === wanted)
    .map(({ code, accounts, findings: entries }) => ({ code, accounts, entries }))

/** The outcome of `validate` for programs. Only `run` differs between two runs over the same file. */
export const offlineJson = (job: OfflineJob, { totals, facts }: OfflineOutcome) => ({
  file: { name: job.file, bytes: totals.bytes, sha256: totals.sha256 },
  lines: totals.lines,
  accounts: totals.accounts,
  valid: totals.accounts - totals.failed,
  valid_with_warnings: totals.validWithWarnings,
  failed: totals.failed,
  errors: counts(totals.codes, 'error'),
  warnings: counts(totals.codes, 'warning'),
  repeated_accounts: {
    lines: totals.repeats.count,
    complete: totals.repeats.complete,
    examples: totals.repeats.examples.map(({ line, firstLine }) => ({ line, first_line: firstLine })),
  },
  written: {
    report: job.outputs.report ?? null,
    failures: job.outputs.failures ?? null,
    errors: job.outputs.errors ?? null,
  },
  run: {
    started_at: `${facts.startedAt.toISOString().slice(0, 19)}Z`,
    seconds: Math.round(facts.seconds * 1000) / 1000,
    accounts_per_second: Math.round(totals.accounts / Math.max(facts.seconds, 0.001)),
    workers: facts.workers,
  },
})
