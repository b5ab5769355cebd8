import { setTimeout as delay } from 'node:timers/promises'
import { databaseError, databaseErrorCode } from '../database-error.js'
import { StartError } from '../start-error.js'

const patience = { attempts: 240, milliseconds: 250 }

/** Errors of a process that was second: another one holds the lock, or has just made the tables for bookkeeping. */
const raceCodes = new Set(['ER_TABLE_EXISTS_ERROR', 'ER_DUP_ENTRY', 'ER_LOCK_DEADLOCK'])

const isLocked = (cause: unknown): boolean => cause instanceof Error && cause.name === 'MigrationLocked'

const lostRace = (cause: unknown): boolean => {
  const code = databaseErrorCode(cause)
  return isLocked(cause) || raceCodes.has(code) || code.startsWith('SQLITE_BUSY')
}

const stillLocked = (cause: unknown): StartError =>
  new StartError(
    'migrations_locked',
    'Another process has been migrating this database for a minute, or one was interrupted while it did. If none' +
      ' is running, see what it left, set is_locked to 0 in account_import_migrations_lock, and try again.',
    cause,
  )

/**
 * Works on the bookkeeping of migrations. When several processes do so at once, one goes first and the others
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
