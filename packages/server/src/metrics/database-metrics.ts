import type { RetryReason } from '@account-import/adapter-sql'
import type { Observers } from '../container/create-container.js'
import { Counter, Histogram, type Registry } from 'prom-client'
import { fromZero } from './from-zero.js'

const waits = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30]
const reasons: readonly RetryReason[] = ['deadlock', 'lock_wait', 'certification', 'read_only', 'busy']
const sizes = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

/** Counts what the database adapter tells: what is run again, what goes together, and how long a connection is waited for. */
export const databaseMetrics = (
  registry: Registry,
): Pick<Required<Observers>, 'onRetry' | 'onBatch' | 'onConnectionWait'> => {
  const registers = [registry]
  const retries = new Counter({
    name: 'account_import_database_retries_total',
    help: 'Work that the database asked to be run again.',
    labelNames: ['reason'],
    registers,
  })
  fromZero(retries, 'reason', reasons)
  const batches = new Histogram({
    name: 'account_import_batch_size',
    help: 'How much work of one kind went to the database together.',
    labelNames: ['work'],
    buckets: sizes,
    registers,
  })
  const wait = new Histogram({
    name: 'account_import_database_wait_seconds',
    help: 'How long calls waited for a connection of the pool.',
    buckets: waits,
    registers,
  })
  return {
    onRetry: ({ reason }) => retries.inc({ reason }),
    onBatch: ({ work, size }) => batches.observe({ work }, size),
    onConnectionWait: (milliseconds) => wait.observe(milliseconds / 1000),
  }
}
