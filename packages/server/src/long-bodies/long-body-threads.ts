import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { LongBodies, LongBodyWork, Turn } from '@account-import/adapter-http-koa'
import { portFailure } from '@account-import/core'
import { slots } from '@account-import/core/adapter-kit'
import { E } from '@account-import/core/fp'

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

/** The file of the thread. A bundler leaves it out unless it is an entry of the bundle. */
export const threadFile = new URL('./thread.js', import.meta.url)

/** A thread that does one piece of work at a time. It starts for the first, and ends when it was idle for a minute. */
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
  const work = async (asked: Asked) => {
    clearTimeout(idle?.timer)
    const worker = idle?.worker ?? started()
    idle = undefined
    try {
      const done = await resultFrom(worker, asked)
      idle = { worker, timer: setTimeout(() => void end(), idleMilliseconds).unref() }
      if ('result' in done) return E.right(done.result)
      return E.left(portFailure('unexpected', 'longBodies', asked.name, new Error(done.failure)))
    } catch (cause) {
      return E.left(portFailure('unexpected', 'longBodies', asked.name, cause))
    }
  }
  return {
    run: (asked: Asked, { organisation, key, gone }: Turn) =>
      turns.run(organisation, gone, () => work(asked), key),
    end,
  }
}

/**
 * Two threads that read and validate long bodies, so that this thread is free for other requests. The thread that reads an account
 * validates it. Organisations and their keys take turns. When a thread dies, its work fails, and the next body starts another thread.
 */
export const longBodyThreads = (): LongBodies & Readonly<{ close(): Promise<void> }> => {
  const [even, odd] = [oneThread(), oneThread()]
  const threadOf = ({ id }: Readonly<{ id: number }>) => (id % 2 === 0 ? even : odd)
  return {
    // The result has the type that the function of the name returns.
    read: (input, turn) =>
      threadOf(input).run({ name: 'read', input }, turn) as ReturnType<LongBodies['read']>,
    check: (input, turn) =>
      threadOf(input).run({ name: 'check', input }, turn) as ReturnType<LongBodies['check']>,
    close: async () => {
      await Promise.all([even.end(), odd.end()])
    },
  }
}
