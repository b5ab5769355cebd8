import { Worker } from 'node:worker_threads'
import type { LongBodies, LongWork } from '@account-import/adapter-http-koa'
import { slots } from '@account-import/core/adapter-kit'
import type { ServerConfig } from '../config/read-config.js'

/** Work for the thread: a function of `LongWork`, and its input. */
export type Asked = {
  [Name in keyof LongWork]: Readonly<{ name: Name; request: Parameters<LongWork[Name]>[0] }>
}[keyof LongWork]

/** The output of the function, or the name of the error that it ended with. */
export type Done =
  | Readonly<{ result: Awaited<ReturnType<LongWork[keyof LongWork]>> }>
  | Readonly<{ failure: string }>

type Waiting = Readonly<{ resolve(result: unknown): void; reject(cause: Error): void }>
type Running = Readonly<{ worker: Worker; waiting: Waiting[]; ended: Promise<void> }>

/** As much as the worst body takes. Beyond it the thread ends, before the machine runs out of memory. */
const resourceLimits = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 8 }

const idleMilliseconds = 60_000

/** Ports that cannot be sent to a thread are not needed there: it makes no tokens and sends no e-mails. */
const sent = (config: ServerConfig): ServerConfig => ({
  ...config,
  signingKey: undefined,
  verificationKeys: [],
  mail: undefined,
  mailTemplates: new Map(),
})

/**
 * A thread with use cases of its own over the configured database: what it takes to parse, validate and write long bodies
 * holds up no other request. It works on one of them at a time, and organisations take turns. It is started for the first long
 * body, and ends when none has come for a minute. When it dies, what was under way is rejected, and the next body starts another.
 */
export class LongBodyThread {
  private readonly config: ServerConfig
  private readonly turns = slots(1)
  private running: Running | undefined
  private idleTimer: NodeJS.Timeout | undefined

  /** Rejects where the thread dies, or could not answer. */
  readonly longBodies: LongBodies = {
    answer: (request, gone) => this.inTurn({ name: 'answer', request }, gone),
    bulkValidate: (request, gone) => this.inTurn({ name: 'bulkValidate', request }, gone),
    bulkStage: (request, gone) => this.inTurn({ name: 'bulkStage', request }, gone),
  }

  constructor(config: ServerConfig) {
    this.config = config
  }

  /** Lets what is under way end first. */
  async close(): Promise<void> {
    clearTimeout(this.idleTimer)
    const { running } = this
    this.running = undefined
    running?.worker.postMessage('end')
    await running?.ended
  }

  /** `Result`: what the function that is asked for answers there. */
  private inTurn<Result>(asked: Asked, gone: AbortSignal): Promise<Result> {
    return this.turns.run(asked.request.organisation, gone, async () => (await this.done(asked)) as Result)
  }

  private done({ name, request }: Asked): Promise<unknown> {
    clearTimeout(this.idleTimer)
    const { worker, waiting } = (this.running ??= this.started())
    return new Promise((resolve, reject) => {
      waiting.push({ resolve, reject })
      // A copy is given away: the bytes may be a part of a buffer that others use.
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
      const asked = waiting.shift()
      if ('failure' in done)
        asked?.reject(new Error(`The thread for long bodies failed with ${done.failure}`))
      else asked?.resolve(done.result)
      if (waiting.length === 0 && this.running === running) this.endWhenIdle()
    })
    // Its exit follows.
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
