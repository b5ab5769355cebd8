import { Worker } from 'node:worker_threads'
import type { LongBodies, LongWork } from '@account-import/adapter-http-koa'
import { slots } from '@account-import/core/adapter-kit'
import type { ServerConfig } from '../config/read-config.js'

/** Work for the thread: a function of `LongWork`, and its input. */
export type Asked = {
  [Name in keyof LongWork]: Readonly<{ name: Name; request: Parameters<LongWork[Name]>[0] }>
}[keyof LongWork]

/** The result of the function, or the name of its error. */
export type Done =
  | Readonly<{ result: Awaited<ReturnType<LongWork[keyof LongWork]>> }>
  | Readonly<{ failure: string }>

type Waiting = Readonly<{ resolve(result: unknown): void; reject(cause: Error): void }>
type Running = Readonly<{ worker: Worker; waiting: Waiting[]; ended: Promise<void> }>

/** The need of the worst body. The thread ends at this limit, before the machine runs out of memory. */
const resourceLimits = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 8 }

const idleMilliseconds = 60_000

/** The configuration without values that cannot be cloned. The thread issues no tokens and sends no e-mails. */
const sent = (config: ServerConfig): ServerConfig => ({
  ...config,
  signingKey: undefined,
  verificationKeys: [],
  mail: undefined,
  mailTemplates: new Map(),
})

/**
 * A thread with use cases of its own over the configured database, so that parsing, validating and writing long bodies does not
 * delay other requests. It processes one body at a time, and organisations take turns. It starts for a long body, and ends after
 * a minute without one. When it dies, its running requests are rejected, and the next body starts another thread.
 */
export class LongBodyThread {
  private readonly config: ServerConfig
  private readonly turns = slots(1)
  private running: Running | undefined
  private idleTimer: NodeJS.Timeout | undefined

  /** Rejects if the thread dies or fails. */
  readonly longBodies: LongBodies = {
    answer: (request, gone) => this.inTurn({ name: 'answer', request }, gone),
    bulkValidate: (request, gone) => this.inTurn({ name: 'bulkValidate', request }, gone),
    bulkStage: (request, gone) => this.inTurn({ name: 'bulkStage', request }, gone),
  }

  constructor(config: ServerConfig) {
    this.config = config
  }

  /** Ends the thread after its running requests. */
  async close(): Promise<void> {
    clearTimeout(this.idleTimer)
    const { running } = this
    this.running = undefined
    running?.worker.postMessage('end')
    await running?.ended
  }

  /** `Result`: the type that the function of `asked` answers. */
  private inTurn<Result>(asked: Asked, gone: AbortSignal): Promise<Result> {
    const { organisation, by } = asked.request
    return this.turns.run(organisation, gone, async () => (await this.done(asked)) as Result, by.who)
  }

  private done({ name, request }: Asked): Promise<unknown> {
    clearTimeout(this.idleTimer)
    const { worker, waiting } = (this.running ??= this.started())
    return new Promise((resolve, reject) => {
      waiting.push({ resolve, reject })
      // Transfers a copy, because the bytes may be a part of a shared buffer.
      const bytes = new Uint8Array(request.bytes)
      worker.postMessage({ name, request: { ...request, bytes } }, [bytes.buffer])
    })
  }

  private started(): Running {
    const worker = new Worker(new URL('./thread.js', import.meta.url), {
      workerData: sent(this.config),
      resourceLimits,
    })
    const waiting: Waiting[] = []
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    const running = { worker, waiting, ended }
    worker.on('message', (done: Done) => {
      const next = waiting.shift()
      if ('failure' in done) next?.reject(new Error(`The thread for long bodies failed with ${done.failure}`))
      else next?.resolve(done.result)
      if (waiting.length === 0 && this.running === running) this.endWhenIdle()
    })
    // The event `exit` follows.
    worker.on('error', () => undefined)
    worker.once('exit', () => {
      if (this.running === running) this.running = undefined
      for (const { reject } of waiting.splice(0)) reject(new Error('The thread for long bodies ended'))
    })
    return running
  }

  private endWhenIdle(): void {
    this.idleTimer = setTimeout(() => void this.close(), idleMilliseconds).unref()
  }
}
