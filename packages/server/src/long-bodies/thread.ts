import { parentPort, workerData } from 'node:worker_threads'
import { bundledTemplates } from '@account-import/adapter-email'
import { answerLongBodies } from '@account-import/adapter-http-koa'
import 'reflect-metadata'
import type { ServerConfig } from '../config/read-config.js'
import { createContainer } from '../container/create-container.js'
import { useCasesId } from '../container/port-ids.js'
import type { Asked, Done } from './long-body-thread.js'

/** Only ever started by `LongBodyThread`, which gives it the configuration and asks it. */
const config: ServerConfig = { ...(workerData as ServerConfig), mailTemplates: bundledTemplates }

// Bodies come in turn; a second connection serves what is joined.
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

/** One after the other, so that memory holds what one of them needs. */
let last = Promise.resolve()

parentPort?.on('message', (asked: Asked | 'end') => {
  last = last.then(async () => {
    if (asked !== 'end') return parentPort?.postMessage(await outcomeOf(asked))
    await container.unbindAllAsync()
    parentPort?.close()
  })
})
