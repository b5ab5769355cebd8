import type { OperatorUseCases } from '@account-import/core'
import { makeUseCases } from '@account-import/core/fp'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { Worker } from 'node:worker_threads'
import { rawApi } from '../../../journeys/support/raw-api.js'
import { tokenOf } from '../../../journeys/support/token-of.js'
import { answer } from '../../../support/answers.js'
import { startServerProcess } from '../../../support/server-process.js'
import { freshCode, setUp } from '../../../support/set-up.js'
import { openSharedDatabase } from '../../../support/shared-database.js'
import type { Facts } from '../exchange.js'

/** The service under test. */
export type Service = Readonly<{
  port: number
  facts: Facts
  /** The reason why it stopped; undefined while it runs. */
  ended(): string | undefined
  /** Stops it; returns its log. */
  close(): Promise<string>
}>

/** The number of sequences that may run at one time. */
const mostLanes = 6

/** All data before the first request: two organisations, suppliers, keys and their tokens. */
export const setUpFacts = async (operator: OperatorUseCases, baseUrl: string): Promise<Facts> => {
  const { organisation, supplier, team, apiKey } = await setUp(operator)
  const other = await setUp(operator)
  const more = Array.from({ length: mostLanes }, () => freshCode('SUP'))
  for (const code of more) await answer(operator.createSupplier({ code, organisation }))
  const [pausedSupplier = '', ...others] = more
  await answer(operator.setSupplierStatus({ code: pausedSupplier, status: 'paused' }))
  const api = rawApi(baseUrl)
  const tokenFor = async (scope: 'validate' | 'read'): Promise<string> =>
    tokenOf(api, (await answer(operator.createApiKey({ organisation, scopes: [scope] }))).apiKey)
  const tokens = {
    full: await tokenOf(api, apiKey),
    foreign: await tokenOf(api, other.apiKey),
    validate: await tokenFor('validate'),
    read: await tokenFor('read'),
  }
  const suppliers = [supplier, ...others]
  return { suppliers, pausedSupplier, foreignSupplier: other.supplier, team, apiKey, tokens }
}

/** The messages of the thread: first that it serves, then its log. */
export type FromThread = Readonly<{ port: number; facts: Facts }> | Readonly<{ logged: string }>

/** A service on ports in memory in its own thread, so that it may crash or hang. `faulty`: with the planted fault. */
export const inThread = async (faulty?: 'faulty'): Promise<Service> => {
  const worker = new Worker(new URL('thread.js', import.meta.url), {
    workerData: { isFaulty: faulty === 'faulty' },
  })
  let log = ''
  let end: string | undefined
  worker.on('error', (error) => (end = `it crashed: ${error.message}`))
  worker.on('exit', () => (end ??= 'it ended'))
  const served = await new Promise<Extract<FromThread, { port: number }>>((resolve, reject) => {
    worker.once('error', reject)
    worker.on('message', (message: FromThread) => {
      if ('port' in message) resolve(message)
      else log += message.logged
    })
  })
  const close = async (): Promise<string> => {
    await worker.terminate()
    return log
  }
  return { ...served, ended: () => end, close }
}

/** The server that `account-import serve` starts, on an empty database. */
export const served = async (url: string): Promise<Service> => {
  const database = await openSharedDatabase(url)
  const { address, ended, stop } = await startServerProcess({
    ...database.environment,
    LOG_LEVEL: 'info',
    // Other tests cover its limits: these requests are sent as fast as possible.
    RATE_LIMIT_PER_KEY: '1000000/60',
  })
  let end: string | undefined
  const noted = ended.then(({ code, stderr }) => {
    end = `it ended with ${code}`
    return stderr
  })
  const facts = await setUpFacts(makeUseCases(inMemoryPorts(database.stores)).operator, address)
  const close = async (): Promise<string> => {
    await stop()
    await database.close()
    return noted
  }
  return { port: Number(new URL(address).port), facts, ended: () => end, close }
}
