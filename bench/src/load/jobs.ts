import type { ChildProcess } from 'node:child_process'
import type { Size, Verb } from '../workload/kinds.js'

/** A job of the load generator, or of a floor that needs no requests. */
export type LoadJob = Readonly<{
  port: number
  token: string
  verb: Verb
  size: Size
  /** Requests on their way at a time, each on a connection of its own. */
  clients: number
  /** Accounts are taken from here on, each once. */
  firstAccount: number
  /** Ends with so many accounts, or after so long, whichever comes first. */
  accounts: number
  milliseconds: number
}>

/** The outcome: accounts that were sent, those answered with status 200 or 201, and the others by status. */
export type LoadResult = Readonly<{
  sent: number
  succeeded: number
  failed: Readonly<Record<string, number>>
  firstFailure?: string
  seconds: number
  /** Milliseconds within which half and 99 of 100 requests were answered. */
  p50: number
  p99: number
  /** Processor time of the sending process itself, milliseconds for each account. */
  senderCpu: number
}>

/** Runs one job at a time. Rejects when a server broke a connection off, or when the child is gone. */
export type RunJob = (job: LoadJob) => Promise<LoadResult>

type Message = Readonly<{ result: LoadResult }> | Readonly<{ failure: string }>

/** In a child: runs the jobs that the parent process sends, and answers their results. */
export const answerJobs = (run: RunJob): void => {
  process.on('message', (job: LoadJob) => {
    run(job).then(
      (result) => process.send?.({ result }),
      (cause: unknown) => process.send?.({ failure: String(cause) }),
    )
  })
  process.channel?.ref() // it lives for the next job
}

/** In the parent: has jobs run by a child that answers them. */
export const jobRunner =
  (child: ChildProcess): RunJob =>
  (job) =>
    new Promise((resolve, reject) => {
      const gone = (): void => reject(new Error('The process that runs the jobs ended'))
      child.once('exit', gone)
      child.once('message', (message: Message) => {
        child.off('exit', gone)
        if ('failure' in message) reject(new Error(`A job failed: ${message.failure}`))
        else resolve(message.result)
      })
      child.send(job, (error) => error && reject(error))
    })

/** The outcome of one request: how many accounts had which status, and the first failure. */
export type Outcome = Readonly<{ statuses: Readonly<Record<string, number>>; failure?: string | undefined }>

/** Sends so many accounts from this one on; rejects when a connection breaks. */
export type Send = (client: number, firstAccount: number, accounts: number) => Promise<Outcome>

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/** Each client sends so many accounts as soon as those before are answered, until accounts or time run out. */
export const closedLoop = async (job: LoadJob, accountsEach: number, send: Send): Promise<LoadResult> => {
  const latencies: number[] = []
  const failed: Record<string, number> = {}
  let [sent, succeeded] = [0, 0]
  let firstFailure: string | undefined
  const startedAt = performance.now()
  const usedBefore = process.cpuUsage()
  const client = async (_: unknown, number: number): Promise<void> => {
    while (sent < job.accounts && performance.now() < startedAt + job.milliseconds) {
      const accounts = Math.min(accountsEach, job.accounts - sent)
      sent += accounts
      const sentAt = performance.now()
      const { statuses, failure } = await send(number, job.firstAccount + sent - accounts, accounts)
      latencies.push(performance.now() - sentAt)
      firstFailure ??= failure
      for (const [status, count] of Object.entries(statuses))
        if (status === '200' || status === '201') succeeded += count
        else failed[status] = (failed[status] ?? 0) + count
    }
  }
  await Promise.all(Array.from({ length: job.clients }, client))
  const { user, system } = process.cpuUsage(usedBefore)
  const seconds = (performance.now() - startedAt) / 1000
  latencies.sort((a, b) => a - b)
  const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)]
  const result = { sent, succeeded, failed, seconds, p50, p99, senderCpu: (user + system) / 1000 / sent }
  return firstFailure === undefined ? result : { ...result, firstFailure }
}
