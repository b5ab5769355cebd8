import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { LongBodies, LongBodyWork, Turn } from '@account-import/adapter-http-koa'
import { portFailure } from '@account-import/core'
import { E, slots } from '@account-import/core/adapter-kit'

type Name = keyof LongBodyWork

/** Work for a thread: a function of `longBodyWork`, and its input. */
export type Asked = {
  [Each in Name]: Readonly<{ name: Each; input: Parameters<LongBodyWork[Each]>[0] }>
}[Name]

/** The result of the function, or the name of its error. */
export type Done = Readonly<{ result: ReturnType<LongBodyWork[Name]> }> | Readonly<{ failure: string }>

/** The need of the worst body. A thread ends at this limit, before the machine runs out of memory. */
const resourceLimits = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 8 }

const idleMilliseconds = 60_000

/** The result of one piece of work. Rejects with the error that ends the thread. */
const resultFrom = async (worker: Worker, asked: Asked): Promise<Done> => {
  // Sends a copy, because the bytes may be a part of a shared buffer.
  const bytes = new Uint8Array(asked.input.bytes)
  worker.postMessage({ ...asked, input: { ...asked.input, bytes } }, [bytes.buffer])
  const [done] = (await once(worker, 'message')) as [Done]
  return done
}

/**
 * Threads that read and validate long bodies, so that this thread is free for other requests. One reads and one validates at one
 * time: so a valid account waits only once for the worst body of another. Organisations and their keys take turns. A thread starts
 * for a long body, and ends after a minute without one. When it dies, its work fails, and the next body starts another thread.
 */
export const longBodyThreads = (): LongBodies & Readonly<{ close(): Promise<void> }> => {
  const turns = { read: slots(1), check: slots(1) }
  const idle = new Map<Worker, NodeJS.Timeout>()

  const end = (worker: Worker): Promise<number> => {
    clearTimeout(idle.get(worker))
    idle.delete(worker)
    return worker.terminate()
  }
  const idleWorker = (): Worker => {
    for (const [worker, timer] of idle) {
      clearTimeout(timer)
      idle.delete(worker)
      return worker
    }
    const worker = new Worker(new URL('./thread.js', import.meta.url), { resourceLimits })
    // An error rejects the work that the thread has; without work there is none to fail.
    worker.on('error', () => undefined)
    // The requests that wait for it keep the process alive.
    worker.unref()
    return worker
  }
  const work = async (asked: Asked) => {
    const worker = idleWorker()
    try {
      const done = await resultFrom(worker, asked)
      idle.set(worker, setTimeout(() => void end(worker), idleMilliseconds).unref())
      if ('result' in done) return E.right(done.result)
      return E.left(portFailure('unexpected', 'longBodies', asked.name, new Error(done.failure)))
    } catch (cause) {
      return E.left(portFailure('unexpected', 'longBodies', asked.name, cause))
    }
  }
  const inTurn = (asked: Asked, { organisation, key, gone }: Turn) =>
    turns[asked.name].run(organisation, gone, () => work(asked), key)
  return {
    // The result has the type that the function of the name returns.
    read: (input, turn) => inTurn({ name: 'read', input }, turn) as ReturnType<LongBodies['read']>,
    check: (input, turn) => inTurn({ name: 'check', input }, turn) as ReturnType<LongBodies['check']>,
    close: async () => {
      await Promise.all([...idle.keys()].map(end))
    },
  }
}
