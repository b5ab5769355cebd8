import { parentPort, workerData } from 'node:worker_threads'
import { bundledTemplates } from '@account-import/adapter-email'
import { answerLongBodies } from '@account-import/adapter-http-koa'
import 'reflect-metadata'
import type { ServerConfig } from '../config/read-config.js'
import { createContainer } from '../container/create-container.js'
import { useCasesId } from '../container/port-ids.js'
import type { Asked, Done } from './long-body-thread.js'

/** `LongBodyThread` starts this thread with the configuration, and sends it requests. */
const config: ServerConfig = { ...(workerData as ServerConfig), mailTemplates: bundledTemplates }

// Bodies come one by one; a second connection serves joined calls.
const container = createContainer({ ...config, databasePool: 2 }, undefined)
const work = answerLongBodies(container.get(useCasesId))

const resultOf = ({ name, request }: Asked) => {
  switch (name) {
    case 'answer':
      return work.answer(request)
    case 'bulkValidate':
      return work.bulkValidate(request)
    case 'bulkStage':
      return work.bulkStage(request)
  }
}

const outcomeOf = async (asked: Asked): Promise<Done> => {
  try {
    return { result: await resultOf(asked) }
  } catch (cause) {
    return { failure: cause instanceof Error ? cause.name : typeof cause }
  }
}

/** Requests run one by one, so that memory is needed for only one. */
let last = Promise.resolve()

parentPort?.on('message', (asked: Asked | 'end') => {
  last = last.then(async () => {
    if (asked !== 'end') return parentPort?.postMessage(await outcomeOf(asked))
    await container.unbindAllAsync()
    parentPort?.close()
  })
})
