import type { LogEntry } from './log-entry.js'

/** The log of an application that was given none: a line of JSON for each entry. Probes that find all well are left out. */
export const logToStderr = (entry: LogEntry): void => {
  if (entry.level === 'debug') return
  console.error(JSON.stringify({ time: new Date().toISOString(), ...entry }))
}
