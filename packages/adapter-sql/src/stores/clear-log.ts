import { setTimeout } from 'node:timers/promises'
import type { Session } from '../session/session.js'

/** A process that reads for longer than all tries together keeps the log. */
const mostTries = 50
const pauseMilliseconds = 100

/** Empties the log beside the database file, where there is one, as soon as nobody reads from it; false where somebody keeps it. */
export const clearLog = async ({ dialect, query }: Session): Promise<boolean> => {
  const { clearLog: clear } = dialect
  if (clear === undefined) return true
  for (let tries = 0; tries < mostTries; tries += 1) {
    if (await query(clear)) return true
    await setTimeout(pauseMilliseconds)
  }
  return false
}
