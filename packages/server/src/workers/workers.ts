import cluster from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { MetricsText } from '@account-import/adapter-http-koa'
import { withinTime } from '@account-import/core/adapter-kit'
import type { Environment } from '../config/variable.js'
import type { Log } from '../log/log-events.js'
import { addedUp, metricsText, onlyCounted, type Snapshot, workerMetrics } from '../metrics/metrics-text.js'
import { StartError } from '../start-error.js'
import { type Answers, exchange, type Started } from './exchange.js'

/** How a process ended; `code` is `null` where a signal ended it. */
type Ended = Readonly<{ code: number | null; signal: string | null }>

/** A worker as its parent has it. */
type Worker = Readonly<{
  /** Undefined where it ended, or failed, without saying why. */
  started: Promise<Started | undefined>
  ended: Promise<Ended>
  /** Its counts; undefined where it does not answer soon. */
  metrics(): Promise<Snapshot | undefined>
  /** Lets it finish its requests and end; kills it when it takes too long. */
  stop(): Promise<void>
}>

const limits = { metrics: 2000, stop: 15_000 }

const script = fileURLToPath(new URL('./worker.js', import.meta.url))

/** Starts a worker, the `number`-th of its service. All of them share the ports that they listen on. */
const startWorker = (number: number, environment: Environment, answers: Answers): Worker => {
  // Numbers that JSON does not have, such as a mean of nothing, have to arrive too.
  cluster.setupPrimary({ exec: script, args: [], serialization: 'advanced' })
  const worker = cluster.fork(environment)
  let tell: (how: Started) => void = () => undefined
  const told = new Promise<Started>((resolve) => {
    tell = resolve
  })
  const gone = new AbortController()
  const ended = new Promise<Ended>((resolve) => {
    worker.once('exit', (code, signal) => {
      gone.abort()
      resolve({ code, signal })
    })
  })
  const ask = exchange(
    {
      send: (message) => worker.isConnected() && worker.send(message),
      onMessage: (listener) => void worker.on('message', listener),
    },
    { ...answers, number: async () => number, started: async (how) => tell(how as Started) },
  )
  const untilEnd = <A>(answer: Promise<A>): Promise<A | undefined> =>
    Promise.race([answer.catch(() => undefined), ended.then(() => undefined)])
  return {
    started: untilEnd(told),
    ended,
    // Not by `untilEnd`: the promise of the end would keep every answer until then.
    metrics: () =>
      withinTime(
        limits.metrics,
        () => ask('metrics').catch(() => undefined) as Promise<Snapshot | undefined>,
        () => undefined,
        gone.signal,
      ),
    stop: async () => {
      const timer = setTimeout(() => worker.process.kill('SIGKILL'), limits.stop)
      await untilEnd(ask('stop'))
      if (worker.isConnected()) worker.disconnect()
      await ended
      clearTimeout(timer)
    },
  }
}

/** The address that a worker serves on. Rejects with `StartError`. */
const addressOf = async (worker: Worker): Promise<string> => {
  const started = await worker.started
  if (started === undefined) {
    const { code, signal } = await worker.ended
    const how = signal ?? `exit code ${code}`
    const text = `A worker process ended before it served (${how}). The log says why.`
    throw new StartError('workers_keep_ending', text)
  }
  if ('failure' in started) throw new StartError(started.failure.code, started.failure.message)
  return started.address
}

type WorkersOptions = Readonly<{
  count: number
  environment: Environment
  log: Log
  /** Told when workers have ended by themselves too often to be started again. Others may still serve. */
  onFailed(error: StartError): void
}>

const tooOften =
  'Worker processes ended by themselves more than 5 times in a minute. The log says how each of them ended.'

const mostInAWhile = 5
const whileMilliseconds = 60_000
const leastPause = 100

/** Processes that serve on one port: a worker that ends by itself is started again, after a pause that grows. */
export class Workers {
  /** Those that run, each with what it counted when it was last asked. */
  private readonly running = new Map<Worker, Snapshot>()
  /** The counts of those that ended stay in the sums: counts that fell would look as if all had begun anew. */
  private gone: Snapshot = []
  private readonly own = workerMetrics(() => this.running.size)
  private readonly kept: Promise<Ended>[] = []
  private readonly stopping = new AbortController()
  /** When workers ended of late. */
  private ends: readonly number[] = []
  private readonly options: WorkersOptions

  constructor(options: WorkersOptions) {
    this.options = options
  }

  /** Resolves to the address when all of them serve. Rejects with `StartError` when one does not; then none is left. */
  async start(): Promise<string> {
    const first = Array.from({ length: this.options.count }, (_, index) => this.begin(index + 1))
    this.kept.push(...first.map((worker, index) => this.keep(index + 1, worker)))
    try {
      const [address = ''] = await Promise.all(first.map(addressOf))
      return address
    } catch (cause) {
      await this.stop()
      throw cause
    }
  }

  /** The metrics of all of them as one. */
  async scrape(): Promise<MetricsText> {
    const look = async (worker: Worker): Promise<void> => {
      const snapshot = await worker.metrics()
      // It may have ended meanwhile.
      if (snapshot !== undefined && this.running.has(worker)) this.running.set(worker, snapshot)
    }
    await Promise.all([...this.running.keys()].map(look))
    return metricsText([...this.running.values(), this.gone, await this.own.snapshot()])
  }

  /** Lets all of them finish and end; answers whether all ended well. */
  async stop(): Promise<boolean> {
    this.stopping.abort()
    await Promise.all([...this.running.keys()].map((worker) => worker.stop()))
    return (await Promise.all(this.kept)).every(({ code }) => code === 0)
  }

  private begin(number: number): Worker {
    const worker = startWorker(number, this.options.environment, { scrape: () => this.scrape() })
    this.running.set(worker, [])
    return worker
  }

  /** Resolves to how the last of the processes ended. */
  private async keep(number: number, first: Worker): Promise<Ended> {
    const { log, onFailed } = this.options
    const { signal } = this.stopping
    for (let worker = first; ; worker = this.begin(number)) {
      if (worker !== first) void this.stopUnlessStarted(number, worker)
      const end = await worker.ended
      this.own.ended()
      this.gone = addedUp([this.gone, onlyCounted(this.running.get(worker) ?? [])])
      this.running.delete(worker)
      if (signal.aborted) return end
      log.error({ event: 'worker_ended', worker: number, ...end }, 'a worker process ended by itself')
      const now = performance.now()
      this.ends = [...this.ends.filter((at) => at > now - whileMilliseconds), now]
      const isTooOften = this.ends.length > mostInAWhile
      if (isTooOften) onFailed(new StartError('workers_keep_ending', tooOften))
      else await delay(leastPause * 2 ** this.ends.length, undefined, { signal }).catch(() => undefined)
      if (isTooOften || signal.aborted) return end
    }
  }

  /** A worker that says that it cannot start has nothing else to do. */
  private async stopUnlessStarted(number: number, worker: Worker): Promise<void> {
    const started = await worker.started
    if (started === undefined || !('failure' in started)) return
    const { code, message } = started.failure
    this.options.log.error({ event: 'worker_not_started', worker: number, code }, message)
    await worker.stop()
  }
}
