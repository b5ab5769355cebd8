import type { UseCases } from '@account-import/core'
import { databaseError } from '../database-error.js'

/**
 * Records that the tables were brought to this version, and by which migrations: afterwards, as the record is in these tables.
 * Rejects with `StartError`.
 */
export const recordMigration = async (
  { audit }: Pick<UseCases, 'audit'>,
  applied: readonly string[],
): Promise<void> => {
  const recorded = await audit.recorded<never, readonly string[]>(
    ['migrate', ...applied].join(' '),
    async () => ({ _tag: 'Right', right: applied }),
  )()
  if (recorded._tag === 'Left') throw databaseError(recorded.left.cause)
}
