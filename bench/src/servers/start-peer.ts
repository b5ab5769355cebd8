import { randomBytes } from 'node:crypto'
import { makeToken } from '../peer/token.js'
import { startChild } from '../children/start-child.js'
import { stopChild } from '../children/stop-child.js'
import { poolSizes, type System } from './system.js'

/** Starts what a team would build instead. */
export const startPeer = async (databaseUrl: string): Promise<System> => {
  const secret = randomBytes(32).toString('base64')
  const { child, port, pid } = await startChild(new URL('../peer/main.js', import.meta.url), {
    BENCH_DATABASE_URL: databaseUrl,
    BENCH_POOL: String(poolSizes.others),
    PEER_SECRET: secret,
  })
  const token = makeToken(secret)
  return { target: 'fastify', port, token, pid, databaseUrl, stop: () => stopChild(child) }
}
