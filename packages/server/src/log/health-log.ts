import type { Log } from './log-events.js'
import type { OnHealthChange } from '../health/health-changes.js'

/** Writes what changed with database, migrations or document storage since somebody last asked. */
export const healthLog =
  (log: Log): OnHealthChange =>
  ({ advice = 'does not work', ...change }) => {
    if (change.state === 'ok') log.info({ event: 'health', ...change }, 'works again')
    else log.warn({ event: 'health', ...change }, advice)
  }
