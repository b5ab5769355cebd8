import { parentPort } from 'node:worker_threads'
import { longBodyWork } from '@account-import/adapter-http-koa'
import type { Asked, Done } from './long-body-threads.js'

/** `longBodyThreads` starts this thread, and sends it bytes, one piece of work at a time. */
const resultOf = (asked: Asked) =>
  asked.name === 'read' ? longBodyWork.read(asked.input) : longBodyWork.check(asked.input)

const outcomeOf = (asked: Asked): Done => {
  try {
    return { result: resultOf(asked) }
  } catch (cause) {
    return { failure: cause instanceof Error ? cause.name : typeof cause }
  }
}

parentPort?.on('message', (asked: Asked) => parentPort?.postMessage(outcomeOf(asked)))
