import type { SystemSummary } from './summary.js'

/** What staging at length came to, in one line. */
export const soakText = (clients: number, seconds: number, soak: SystemSummary): string => {
  const retries = soak.deadlocksAndLockTimeouts
  return (
    `staging, ${clients} clients, ${seconds.toFixed(0)} s: ${soak.requests} requests, ` +
    `${soak.requestsPerSecond.toFixed(0)} a second, p99 ${soak.p99Milliseconds.toFixed(1)} ms, ` +
    `${soak.errors} errors, ${retries} deadlocks and lock timeouts (${(retries / soak.requests).toExponential(1)} a request)`
  )
}
