import { makeRequests } from '../workload/requests.js'
import { openHttpConnection, type Answer, type HttpConnection } from './http-connection.js'
import type { LoadJob, LoadResult } from './load-job.js'

type Tally = {
  sent: number
  succeeded: number
  readonly failed: Record<string, number>
  firstFailure?: string
  readonly latencies: number[]
}

const count = (tally: Tally, { status, body }: Answer, latency: number): void => {
  tally.latencies.push(latency)
  if (status === 200 || status === 201) {
    tally.succeeded += 1
    return
  }
  tally.failed[status] = (tally.failed[status] ?? 0) + 1
  tally.firstFailure ??= body
}

const runClient = async (
  connection: HttpConnection,
  job: LoadJob,
  deadline: number,
  tally: Tally,
): Promise<void> => {
  const requestFor = makeRequests(job.verb, job.token)
  while (tally.sent < job.accounts && performance.now() < deadline) {
    const index = job.firstAccount + tally.sent
    tally.sent += 1
    const sentAt = performance.now()
    count(tally, await connection.exchange(requestFor(index)), performance.now() - sentAt)
  }
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/** Sends requests as fast as the answers come, on all connections at once. Rejects when a connection breaks. */
export const runJob = async (job: LoadJob): Promise<LoadResult> => {
  const connections = await Promise.all(
    Array.from({ length: job.clients }, () => openHttpConnection(job.port)),
  )
  const tally: Tally = { sent: 0, succeeded: 0, failed: {}, latencies: [] }
  const startedAt = performance.now()
  try {
    const deadline = startedAt + job.milliseconds
    await Promise.all(connections.map((connection) => runClient(connection, job, deadline, tally)))
  } finally {
    for (const connection of connections) connection.close()
  }
  const { latencies, ...counts } = tally
  const seconds = (performance.now() - startedAt) / 1000
  const sorted = latencies.sort((a, b) => a - b)
  return { ...counts, seconds, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) }
}
