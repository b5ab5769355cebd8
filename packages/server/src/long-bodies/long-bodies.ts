import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ReadLong } from '@account-import/adapter-http-koa'
import { portFailure, type PortResult, type WithValidator } from '@account-import/core'
import { slots } from '@account-import/core/adapter-kit'
import { E } from '@account-import/core/fp'
import type { Asked, Done, Work } from './thread.js'

/** The need of the worst body. The thread ends at this limit, before the machine runs out of memory. */
const resourceLimits = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 8 }

const idleMilliseconds = 60_000

/** The file of the thread. A bundler leaves it out unless it is an entry of the bundle. */
export const threadFile = new URL('./thread.js', import.meta.url)

/** A thread that does one piece of work at a time. It starts for the first, and ends when it was idle for a minute, or by an error. */
const oneThread = () => {
  const turns = slots(1)
  let idle: Readonly<{ worker: Worker; timer: NodeJS.Timeout }> | undefined

  const started = (): Worker => {
    // Bundlers that know threads look for exactly this expression.
    const worker = new Worker(new URL('./thread.js', import.meta.url), { resourceLimits })
    // An error rejects the work that the thread has; without work there is none to fail.
    worker.on('error', () => undefined)
    // The requests that wait for it keep the process alive.
    worker.unref()
    return worker
  }
  const end = async (): Promise<void> => {
    clearTimeout(idle?.timer)
    const ending = idle?.worker.terminate()
    idle = undefined
    await ending
  }
  const work = async (asked: Asked): PortResult<ReturnType<Work[keyof Work]>> => {
    clearTimeout(idle?.timer)
    const worker = idle?.worker ?? started()
    idle = undefined
    try {
      worker.postMessage(asked)
      const [done] = (await once(worker, 'message')) as [Done]
      idle = { worker, timer: setTimeout(() => void end(), idleMilliseconds).unref() }
      if ('result' in done) return E.right(done.result)
      return E.left(portFailure('unexpected', 'longBodies', asked.name, new Error(done.failure)))
    } catch (cause) {
      return E.left(portFailure('unexpected', 'longBodies', asked.name, cause))
    }
  }
  /** Rejects with the reason of `gone` if that aborts before the work has begun. */
  const run = (asked: Asked, gone: AbortSignal) => turns.run('', gone, () => work(asked))
  return { run, end }
}

/** Reads long bodies, and validates their accounts by the bundled markets, in a thread: this one is free for other requests. */
export type LongBodies = Readonly<{ read: ReadLong; close(): Promise<void> }> & Required<WithValidator>

/**
 * One thread, whose work begins in the order of the requests: the pool of bytes bounds how much waits. When it ends by an error, its
 * work fails, and the next body starts another.
 */
export const longBodies = (): LongBodies => {
  const { run, end } = oneThread()
  return {
    read: async (bytes, isAccount, gone) => {
      // A copy, as the bytes may be a part of a larger buffer, which would be sent with them.
      const answer = await run({ name: 'read', given: [new Uint8Array(bytes), isAccount] }, gone)
      if (E.isLeft(answer)) return answer
      const reading = answer.right as ReturnType<Work['read']>
      return E.isLeft(reading) ? reading : E.right({ ...reading.right, gone })
    },
    // Only accounts that were read there have the signal.
    validator: ({ text, gone }, context, extra) =>
      text === undefined || gone === undefined
        ? undefined
        : (run({ name: 'check', given: [text, context, extra] }, gone) as PortResult<
            ReturnType<Work['check']>
          >),
    close: end,
  }
}
