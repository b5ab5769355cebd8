import type { Instant } from '../values/instant.js'
import type { AuditEntry } from './audit-entry.js'

/**
 * Lists of entries as one, by their times. Within a list the order stays as it is, also where clocks of servers disagree: an
 * entry goes where the latest before it in its list does.
 */
export const inOrderOfTime = (lists: readonly (readonly AuditEntry[])[]): readonly AuditEntry[] =>
  lists
    .flatMap((entries) => {
      let latest = '' as Instant
      return entries.map((entry) => {
        if (entry.at > latest) latest = entry.at
        return { entry, latest }
      })
    })
    .sort((one, other) => (one.latest < other.latest ? -1 : one.latest > other.latest ? 1 : 0))
    .map(({ entry }) => entry)
