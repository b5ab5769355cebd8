import {
  type BulkOptions,
  type BulkResults,
  type Client,
  type FailedLine,
  type ProcessedLine,
  type StagedLine,
  type ValidLine,
} from '@account-import/client'
import { ImportStopped, type Tally } from './import-job.js'

/** One request, which calls `slowDown` when the service is overloaded. */
type Request<A> = (slowDown: () => void) => Promise<A>

/**
 * Bounds the requests in flight: halves the limit when the service is overloaded, raises it by one after each request
 * without retries, between one and `most`.
 */
const adaptiveLimit = (most: number) => {
  /** `halvings`: the number of times that the limit was halved. */
  let [limit, running, halvings] = [most, 0, 0]
  const waiting: (() => void)[] = []
  const startWaiting = (): void => {
    for (; running < Math.floor(limit) && waiting.length > 0; running += 1) waiting.shift()?.()
  }
  return async <A>(request: Request<A>): Promise<A> => {
    const turn = new Promise<void>((resolve) => waiting.push(resolve))
    startWaiting()
    await turn
    let seenHalvings = halvings
    let clean = true
    try {
      return await request(() => {
        clean = false
        // Concurrent requests report the same overload: only the first one halves the limit.
        if (halvings === seenHalvings) {
          halvings += 1
          limit = Math.max(1, limit / 2)
        }
        seenHalvings = halvings
      })
    } finally {
      if (clean) limit = Math.min(most, limit + 1)
      running -= 1
      startWaiting()
    }
  }
}

/**
 * The client, the counts, and the seconds to repeat a failed request. After `stop` no request begins, and those that run are
 * finished; `cut` ends these too.
 */
export type ServiceSetup = Readonly<{
  client: Client
  tally: Tally
  stop: AbortSignal
  cut?: AbortSignal
  retrySeconds: number
}>

/** The result of an account that was to be created. */
export type Processed = ProcessedLine | FailedLine

export type Take<Done> = (result: Done | FailedLine) => void | Promise<void>

/** The import run of a request, and the number of its first line in the file. */
export type NamedRun = NonNullable<BulkOptions['importRun']>

/** The bulk requests of one import, with an adaptive number in flight. */
export const bulkRequests = (
  { client, tally, stop: drain, cut, retrySeconds }: ServiceSetup,
  concurrency: number,
) => {
  const limited = adaptiveLimit(concurrency)
  /** Calls `take` for every result; rejects with `ImportStopped`. */
  const each = <Done extends Readonly<{ outcome: 'done'; warningsTotal: number }>>(
    results: (options: BulkOptions) => BulkResults<Done>,
    take: Take<Done>,
    importRun?: NamedRun,
  ): Promise<void> =>
    limited(async (slowDown) => {
      const onRetry: BulkOptions['onRetry'] = (failure) => {
        const { status, problem } = failure
        tally.retries += 1
        tally.trouble = problem.detail
        if (status === 429 || status === 503) slowDown()
      }
      const options = {
        drain,
        retrySeconds,
        onRetry,
        ...(cut && { signal: cut }),
        ...(importRun && { importRun }),
      }
      for await (const result of results(options)) {
        if (result.outcome === 'stopped') {
          const { status, code } = result.failure
          // The service may have done more than it could say.
          if (status === 0 && (code !== 'aborted' || cut?.aborted === true)) tally.isLeast = true
          throw new ImportStopped(result.failure)
        }
        await take(result)
      }
    })
  return {
    validate: (lines: readonly Uint8Array[], take: Take<ValidLine>): Promise<void> =>
      each((options) => client.bulkValidate(lines, options), take),
    stage: (lines: readonly Uint8Array[], take: Take<StagedLine>, run?: NamedRun): Promise<void> =>
      each((options) => client.bulkStage(lines, options), take, run),
    importAll: (
      lines: readonly Uint8Array[],
      operationsTeam: string,
      take: Take<ProcessedLine>,
      run?: NamedRun,
    ): Promise<void> =>
      each((options) => client.bulkImport(lines, { ...options, operationsTeam }), take, run),
    process: (
      request: Parameters<Client['bulkProcess']>[0],
      take: Take<ProcessedLine>,
      run?: NamedRun,
    ): Promise<void> => each((options) => client.bulkProcess(request, options), take, run),
  }
}
