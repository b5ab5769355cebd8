import type { OfflineJob } from '../../offline/offline-run.js'
import type { OfflineOutcome } from '../../offline/run-offline.js'
import type { CodeCount, EntrySeverity } from '../../offline/counts.js'

const counts = (codes: readonly CodeCount[], wanted: EntrySeverity) =>
  codes
    .filter(({ severity }) => severity === wanted)
    .map(({ code, accounts, entries }) => ({ code, accounts, entries }))

/** The outcome of `validate` for programs. Only `run` differs between two runs over the same file. */
export const offlineJson = (job: OfflineJob, { findings, facts }: OfflineOutcome) => ({
  file: { name: job.file, bytes: findings.bytes, sha256: findings.sha256 },
  lines: findings.lines,
  accounts: findings.accounts,
  valid: findings.accounts - findings.failed,
  valid_with_warnings: findings.validWithWarnings,
  failed: findings.failed,
  errors: counts(findings.codes, 'error'),
  warnings: counts(findings.codes, 'warning'),
  repeated_accounts: {
    lines: findings.repeats.count,
    complete: findings.repeats.complete,
    examples: findings.repeats.examples.map(({ line, firstLine }) => ({ line, first_line: firstLine })),
  },
  written: {
    report: job.outputs.report ?? null,
    failures: job.outputs.failures ?? null,
    errors: job.outputs.errors ?? null,
  },
  run: {
    started_at: `${facts.startedAt.toISOString().slice(0, 19)}Z`,
    seconds: Math.round(facts.seconds * 1000) / 1000,
    accounts_per_second: Math.round(findings.accounts / Math.max(facts.seconds, 0.001)),
    workers: facts.workers,
  },
})
