import {
  type BulkOptions,
  type BulkResults,
  type Client,
  type FailedLine,
  noConnectionCode,
  type ProcessedLine,
  type StagedLine,
  type ValidLine,
} from '@account-import/client'
import { ImportStopped, type Tally } from './import-job.js'

/** One request, which may learn on its way that the service has too much to do. */
type Request<A> = (slowDown: () => void) => Promise<A>

/**
 * Bounds the requests in flight: halved when the service has too much to do, one more after each request that went
 * through at once, never more than the given number, never less than one.
 */
const adaptiveLimit = (most: number) => {
  let limit = most
  let running = 0
  /** Counts the times that the limit was halved. */
  let halvings = 0
  const waiting: (() => void)[] = []
  const startWaiting = (): void => {
    while (running < Math.floor(limit)) {
      const start = waiting.shift()
      if (start === undefined) return
      running += 1
      start()
    }
  }
  return async <A>(request: Request<A>): Promise<A> => {
    if (running >= Math.floor(limit)) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    let known = halvings
    let clean = true
    try {
      return await request(() => {
        clean = false
        // Requests that were in flight together tell of the same moment.
        if (halvings === known) {
          halvings += 1
          limit = Math.max(1, limit / 2)
        }
        known = halvings
      })
    } finally {
      if (clean) limit = Math.min(most, limit + 1)
      running -= 1
      startWaiting()
    }
  }
}

/** Which service is asked, who is told, when it ends, and for how long to try again. */
export type ServiceSetup = Readonly<{
  client: Client
  tally: Tally
  stop: AbortSignal
  retrySeconds: number
}>

/** The result of an account that was to be created. */
export type Processed = ProcessedLine | FailedLine

type Take<Done> = (result: Done | FailedLine) => void | Promise<void>

/** The import run of a request, and the number of its first line in the file. */
type NamedRun = NonNullable<BulkOptions['importRun']>

/** The bulk requests of one run: so many in flight as the service can take, until one of them cannot go on. */
export const bulkRequests = (
  { client, tally, stop: signal, retrySeconds }: ServiceSetup,
  concurrency: number,
) => {
  const limited = adaptiveLimit(concurrency)
  /** The service has answered: from then on it is waited for where it is away. */
  let isThere = false
  /** Gives every result; rejects with `ImportStopped`. */
  const each = <Done extends Readonly<{ outcome: 'done'; warningsTotal: number }>>(
    results: (options: BulkOptions) => BulkResults<Done>,
    take: Take<Done>,
    importRun?: NamedRun,
  ): Promise<void> =>
    limited(async (slowDown) => {
      const onRetry: BulkOptions['onRetry'] = (failure) => {
        const { status, problem, cause } = failure
        if (!isThere && noConnectionCode(cause) !== undefined) throw new ImportStopped(failure)
        isThere = true
        tally.retries += 1
        tally.trouble = problem.detail
        if (status === 429 || status === 503) slowDown()
      }
      const options = { signal, retrySeconds, onRetry, ...(importRun && { importRun }) }
      for await (const result of results(options)) {
        if (result.outcome === 'stopped') throw new ImportStopped(result.failure)
        isThere = true
        await take(result)
      }
    })
  return {
    validate: (lines: readonly Uint8Array[], take: Take<ValidLine>): Promise<void> =>
      each((options) => client.bulkValidate(lines, options), take),
    stage: (lines: readonly Uint8Array[], take: Take<StagedLine>, run?: NamedRun): Promise<void> =>
      each((options) => client.bulkStage(lines, options), take, run),
    process: (
      request: Parameters<Client['bulkProcess']>[0],
      take: Take<ProcessedLine>,
      run?: NamedRun,
    ): Promise<void> => each((options) => client.bulkProcess(request, options), take, run),
  }
}
