import { connectSql, migrate } from '@account-import/adapter-sql'
import { jobRunner } from '../load/job-runner.js'
import { startChild } from '../children/start-child.js'
import { stopChild } from '../children/stop-child.js'
import { poolSizes, type System } from './system.js'

const createTables = async (url: string): Promise<void> => {
  const knex = connectSql(url)
  try {
    await migrate(knex)
  } finally {
    await knex.destroy()
  }
}

/** Starts the hand-written server; accounts go to the same tables as the service's. */
export const startFloor = async (databaseUrl: string): Promise<System> => {
  await createTables(databaseUrl)
  const { child, port, pid } = await startChild(new URL('../floor/main.js', import.meta.url), {
    BENCH_DATABASE_URL: databaseUrl,
    BENCH_POOL: String(poolSizes.others),
  })
  return {
    target: 'floor',
    port,
    token: '',
    pid,
    databaseUrl,
    drives: { verbs: ['process', 'transactions', 'bulk-stage'], run: jobRunner(child) },
    stop: () => stopChild(child),
  }
}
