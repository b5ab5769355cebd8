import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connectSql, migrate } from '@account-import/adapter-sql'
import { stopChild } from './stop-child.js'
import { poolSize, type System } from './system.js'

const createTables = async (url: string): Promise<void> => {
  const knex = connectSql(url)
  try {
    await migrate(knex)
  } finally {
    await knex.destroy()
  }
}

/** Starts the hand-written server on the same tables. */
export const startFloor = async (databaseUrl: string): Promise<System> => {
  await createTables(databaseUrl)
  const token = randomBytes(32).toString('base64url')
  const child = fork(new URL('../floor/main.js', import.meta.url), {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      FLOOR_DATABASE_URL: databaseUrl,
      FLOOR_TOKEN: token,
      FLOOR_POOL: String(poolSize),
    },
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { name: 'floor', port, token, pid: child.pid ?? -1, databaseUrl, stop: () => stopChild(child) }
}
