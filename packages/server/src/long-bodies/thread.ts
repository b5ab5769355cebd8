import 'reflect-metadata'
import { parentPort, workerData } from 'node:worker_threads'
import { bundledTemplates } from '@account-import/adapter-email'
import { answerLongBodies, type LongRequest } from '@account-import/adapter-http-koa'
import type { ServerConfig } from '../config/server-config.js'
import { createContainer } from '../container/create-container.js'
import { useCasesId } from '../container/port-ids.js'
import type { Done } from './done.js'

/** Only ever started by `LongBodyThread`, which gives it the configuration and asks it. */
const config: ServerConfig = { ...(workerData as ServerConfig), mailTemplates: bundledTemplates }

// Bodies come in turn; a second connection serves what is joined.
const container = createContainer({ ...config, databasePool: 2 }, undefined)
const answer = answerLongBodies(container.get(useCasesId))

const answered = async (request: LongRequest): Promise<Done> => {
  try {
    return { answer: await answer(request) }
  } catch (cause) {
    return { failure: cause instanceof Error ? cause.name : typeof cause }
  }
}

/** In turn: each is short beside the next, and memory holds what one of them needs. */
let last = Promise.resolve()

parentPort?.on('message', (request: LongRequest | 'end') => {
  last = last.then(async () => {
    if (request !== 'end') return parentPort?.postMessage(await answered(request))
    await container.unbindAllAsync()
    parentPort?.close()
  })
})
