import type { LoadJob, LoadResult } from './load-job.js'

/** What became of the accounts of one request: how many had which status, and the first answer that is a failure. */
export type Outcome = Readonly<{ statuses: Readonly<Record<string, number>>; failure?: string | undefined }>

/** Sends so many accounts from this one on; rejects when a connection breaks. */
export type Send = (client: number, firstAccount: number, accounts: number) => Promise<Outcome>

type Tally = {
  sent: number
  succeeded: number
  readonly failed: Record<string, number>
  firstFailure?: string
  readonly latencies: number[]
}

const succeeds = (status: string): boolean => status === '200' || status === '201'

const count = (tally: Tally, { statuses, failure }: Outcome, latency: number): void => {
  tally.latencies.push(latency)
  for (const [status, accounts] of Object.entries(statuses))
    if (succeeds(status)) tally.succeeded += accounts
    else tally.failed[status] = (tally.failed[status] ?? 0) + accounts
  if (failure !== undefined) tally.firstFailure ??= failure
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/** Each client sends so many accounts as soon as those before are answered, until accounts or time run out. */
export const closedLoop = async (job: LoadJob, accountsEach: number, send: Send): Promise<LoadResult> => {
  const tally: Tally = { sent: 0, succeeded: 0, failed: {}, latencies: [] }
  const startedAt = performance.now()
  const usedBefore = process.cpuUsage()
  const client = async (_: unknown, number: number): Promise<void> => {
    while (tally.sent < job.accounts && performance.now() < startedAt + job.milliseconds) {
      const accounts = Math.min(accountsEach, job.accounts - tally.sent)
      const firstAccount = job.firstAccount + tally.sent
      tally.sent += accounts
      const sentAt = performance.now()
      count(tally, await send(number, firstAccount, accounts), performance.now() - sentAt)
    }
  }
  await Promise.all(Array.from({ length: job.clients }, client))
  const { latencies, ...counts } = tally
  const used = process.cpuUsage(usedBefore)
  const sorted = latencies.sort((a, b) => a - b)
  return {
    ...counts,
    seconds: (performance.now() - startedAt) / 1000,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    senderCpu: (used.user + used.system) / 1000 / counts.sent,
  }
}
