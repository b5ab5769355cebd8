import { Worker } from 'node:worker_threads'
import type { LongAnswer, LongRequest } from '@account-import/adapter-http-koa'
import type { ServerConfig } from '../config/server-config.js'
import type { Done } from './done.js'

type Waiting = Readonly<{ resolve(answer: LongAnswer): void; reject(cause: Error): void }>
type Running = Readonly<{ worker: Worker; waiting: Waiting[]; ended: Promise<void> }>

/** Several times what the worst body takes. Beyond it the thread ends, before the machine runs out of memory. */
const heapLimitMib = 768

const idleMilliseconds = 60_000

/** What cannot be sent to a thread, it does not need: it makes no tokens and sends no e-mails. */
const sent = (config: ServerConfig): ServerConfig => ({
  ...config,
  signingKey: undefined,
  verificationKeys: [],
  mail: undefined,
  mailTemplates: new Map(),
})

/**
 * A thread with use cases of its own over the configured database: what it takes to parse, validate and write long bodies
 * holds up no other request. It is started for the first long body, and ends when none has come for a minute. When it
 * dies, what was under way is rejected, and the next body starts another.
 */
export class LongBodyThread {
  private readonly config: ServerConfig
  private readonly idle: number
  private running: Running | undefined
  private idleTimer: NodeJS.Timeout | undefined

  constructor(config: ServerConfig, idle = idleMilliseconds) {
    this.config = config
    this.idle = idle
  }

  /** Rejects where the thread dies, or could not answer. */
  answer(request: LongRequest): Promise<LongAnswer> {
    clearTimeout(this.idleTimer)
    const { worker, waiting } = (this.running ??= this.started())
    return new Promise((resolve, reject) => {
      waiting.push({ resolve, reject })
      // A copy is given away: the bytes may be a part of a buffer that others use.
      const bytes = new Uint8Array(request.bytes)
      worker.postMessage({ ...request, bytes }, [bytes.buffer])
    })
  }

  /** Lets what is under way end first. */
  async close(): Promise<void> {
    clearTimeout(this.idleTimer)
    const { running } = this
    this.running = undefined
    running?.worker.postMessage('end')
    await running?.ended
  }

  private started(): Running {
    const worker = new Worker(new URL('./thread.js', import.meta.url), {
      workerData: sent(this.config),
      resourceLimits: { maxOldGenerationSizeMb: heapLimitMib },
    })
    const waiting: Waiting[] = []
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    const running = { worker, waiting, ended }
    worker.on('message', (done: Done) => {
      const asked = waiting.shift()
      if ('answer' in done) asked?.resolve(done.answer)
      else asked?.reject(new Error(`The thread for long bodies failed with ${done.failure}`))
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
    this.idleTimer = setTimeout(() => void this.close(), this.idle).unref()
  }
}
