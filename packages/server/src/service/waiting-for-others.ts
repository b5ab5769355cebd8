import { setTimeout as delay } from 'node:timers/promises'
import { databaseError, databaseErrorCode } from '../database-error.js'
import { StartError } from '../start-error.js'

const patience = { attempts: 240, milliseconds: 250 }

/**
 * Errors of a process that was early: a cluster chooses its writer; or, on a node of Galera, while somebody changes the
 * table that it writes to.
 */
const raceCodes = new Set(['ER_LOCK_DEADLOCK', 'DATABASE_READ_ONLY', 'DATABASE_NOT_IN_CLUSTER'])

const isLocked = (cause: unknown): boolean => cause instanceof Error && cause.name === 'MigrationLocked'

const lostRace = (cause: unknown): boolean => {
  const code = databaseErrorCode(cause)
  return isLocked(cause) || raceCodes.has(code) || code.startsWith('SQLITE_BUSY')
}

const stillLocked = (cause: unknown): StartError =>
  new StartError(
    'migrations_locked',
    'Another process has been migrating this database for a minute. Wait until it has ended, and try again.',
    cause,
  )

/**
 * Works on migrations. When several processes do so at once, one goes first and the others
 * wait for it, at most a minute. Rejects with `StartError`.
 */
export const waitingForOthers = async <A>(work: () => Promise<A>): Promise<A> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (cause) {
      if (!lostRace(cause)) throw databaseError(cause)
      if (attempt >= patience.attempts) throw isLocked(cause) ? stillLocked(cause) : databaseError(cause)
      await delay(patience.milliseconds)
    }
  }
}
