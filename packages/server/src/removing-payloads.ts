import type { PortResult, UseCases } from '@account-import/core'
import type { Logger } from 'pino'

/** Removes staged data that is due, and says in the log of how many accounts. */
export const removingPayloads =
  ({ removeDuePayloads }: Pick<UseCases, 'removeDuePayloads'>, log: Logger) =>
  (limit: number): PortResult<number> =>
  async () => {
    const removed = await removeDuePayloads(limit)()
    if (removed._tag === 'Right' && removed.right > 0)
      log.info({ event: 'staged_data_removed', accounts: removed.right }, 'staged data was due')
    return removed
  }
