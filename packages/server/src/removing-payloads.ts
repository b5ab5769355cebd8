import type { PortResult, UseCases } from '@account-import/core'
import { pipe, TE } from '@account-import/core/adapter-kit'
import type { Logger } from 'pino'

/** Removes staged data that is due, and says in the log of how many accounts. */
export const removingPayloads =
  ({ removeDuePayloads }: Pick<UseCases, 'removeDuePayloads'>, log: Logger) =>
  (limit: number): PortResult<number> =>
    pipe(
      removeDuePayloads(limit),
      TE.map((removed) => {
        if (removed > 0) log.info({ event: 'staged_data_removed', accounts: removed }, 'staged data was due')
        return removed
      }),
    )
