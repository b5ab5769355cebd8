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
class AdaptiveLimit {
  private limit: number
  private running = 0
  private readonly waiting: (() => void)[] = []
  /** Counts the times that the limit was halved. */
  private halvings = 0
  private readonly most: number

  constructor(most: number) {
    this.most = most
    this.limit = most
  }

  /** Requests that may be in flight at present. */
  get current(): number {
    return Math.floor(this.limit)
  }

  async run<A>(request: Request<A>): Promise<A> {
    if (this.running >= this.current) await new Promise<void>((resolve) => this.waiting.push(resolve))
    else this.running += 1
    let known = this.halvings
    let clean = true
    try {
      return await request(() => {
        clean = false
        // Requests that were in flight together tell of the same moment.
        if (this.halvings === known) this.halve()
        known = this.halvings
      })
    } finally {
      if (clean) this.limit = Math.min(this.most, this.limit + 1)
      this.running -= 1
      this.startWaiting()
    }
  }

  private halve(): void {
    this.halvings += 1
    this.limit = Math.max(1, this.limit / 2)
  }

  private startWaiting(): void {
    while (this.running < this.current) {
      const start = this.waiting.shift()
      if (start === undefined) return
      this.running += 1
      start()
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

const named = (importRun: NamedRun | undefined): BulkOptions => (importRun === undefined ? {} : { importRun })

/** The bulk requests of one run: so many in flight as the service can take, until one of them cannot go on. */
export class Service {
  private readonly client: Client
  private readonly limit: AdaptiveLimit
  private readonly tally: Tally
  private readonly options: BulkOptions
  /** The service has answered: from then on it is waited for where it is away. */
  private isThere = false

  constructor({ client, tally, stop, retrySeconds }: ServiceSetup, concurrency: number) {
    this.client = client
    this.limit = new AdaptiveLimit(concurrency)
    this.tally = tally
    this.options = { signal: stop, retrySeconds }
  }

  validate(lines: readonly Uint8Array[], take: Take<ValidLine>): Promise<void> {
    return this.each((options) => this.client.bulkValidate(lines, options), take)
  }

  stage(lines: readonly Uint8Array[], take: Take<StagedLine>, run?: NamedRun): Promise<void> {
    return this.each((options) => this.client.bulkStage(lines, { ...options, ...named(run) }), take)
  }

  process(
    request: Parameters<Client['bulkProcess']>[0],
    take: Take<ProcessedLine>,
    run?: NamedRun,
  ): Promise<void> {
    return this.each((options) => this.client.bulkProcess(request, { ...options, ...named(run) }), take)
  }

  /** Gives every result; rejects with `ImportStopped`. */
  private each<Done extends Readonly<{ outcome: 'done'; warningsTotal: number }>>(
    results: (options: BulkOptions) => BulkResults<Done>,
    take: Take<Done>,
  ): Promise<void> {
    return this.limit.run(async (slowDown) => {
      const onRetry: BulkOptions['onRetry'] = (failure) => {
        const { status, problem, cause } = failure
        if (!this.isThere && noConnectionCode(cause) !== undefined) throw new ImportStopped(failure)
        this.isThere = true
        this.tally.retries += 1
        this.tally.trouble = problem.detail
        if (status === 429 || status === 503) slowDown()
      }
      for await (const result of results({ ...this.options, onRetry })) {
        if (result.outcome === 'stopped') throw new ImportStopped(result.failure)
        this.isThere = true
        await take(result)
      }
    })
  }
}
