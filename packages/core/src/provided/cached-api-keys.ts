import { pipe, TE } from '../fp.js'
import type { ApiKeyRecord, ApiKeys } from '../ports/api-keys.js'
import type { Clock } from '../ports/clock.js'
import { plusSeconds, type Instant } from '../values/instant.js'

const lifetimeSeconds = 30
const mostEntries = 10_000

/**
 * Keys as they were at most 30 seconds ago, so that checking a token seldom asks the store. A revocation is seen
 * within these 30 seconds; clients are promised 60. Keys that do not exist are not remembered.
 */
export const cachedApiKeys = (apiKeys: Pick<ApiKeys, 'find'>, clock: Clock): Pick<ApiKeys, 'find'> => {
  const entries = new Map<string, Readonly<{ record: ApiKeyRecord; until: Instant }>>()

  const remember = (record: ApiKeyRecord | undefined): void => {
    if (record === undefined) return
    entries.delete(record.id)
    entries.set(record.id, { record, until: plusSeconds(clock.now(), lifetimeSeconds) })
    if (entries.size <= mostEntries) return
    const [oldest] = entries.keys()
    if (oldest !== undefined) entries.delete(oldest)
  }

  return {
    find: (id) => {
      const known = entries.get(id)
      if (known !== undefined && known.until > clock.now()) return TE.right(known.record)
      return pipe(
        apiKeys.find(id),
        TE.tapIO((record) => () => remember(record)),
      )
    },
  }
}
