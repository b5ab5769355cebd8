import type { Outbox, OutboxBacklog } from '@account-import/core'
import { sharedCheck } from '../health/service-health.js'

/** Enough to see that too much waits; counting on would only cost more. */
const most = 10_000

const times = { keepMilliseconds: 10_000, limitMilliseconds: 2000, lostMilliseconds: 30_000 }

/** How much is in the outbox, looked at every ten seconds at most; undefined where that fails, or takes too long. */
export const outboxBacklog = (outbox: Outbox): (() => Promise<OutboxBacklog | undefined>) =>
  sharedCheck<OutboxBacklog | undefined>(
    async () => {
      const backlog = await outbox.backlog(most)()
      return backlog._tag === 'Right' ? backlog.right : undefined
    },
    { ...times, late: undefined },
  )
