import type {
  BulkOptions,
  BulkResults,
  Client,
  FailedLine,
  ProcessedLine,
  StagedLine,
  ValidLine,
} from '@account-import/client'
import { AdaptiveLimit } from './adaptive-limit.js'
import { noConnectionCode } from '@account-import/client'
import { ImportStopped } from './import-stopped.js'
import type { Tally } from './tally.js'

/** Which service is asked, who is told, when it ends, and for how long to try again. */
export type ServiceSetup = Readonly<{
  client: Client
  tally: Tally
  stop: AbortSignal
  retrySeconds: number
}>

type Take<Done> = (result: Done | FailedLine) => void | Promise<void>

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

  stage(lines: readonly Uint8Array[], take: Take<StagedLine>): Promise<void> {
    return this.each((options) => this.client.bulkStage(lines, options), take)
  }

  process(request: Parameters<Client['bulkProcess']>[0], take: Take<ProcessedLine>): Promise<void> {
    return this.each((options) => this.client.bulkProcess(request, options), take)
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
