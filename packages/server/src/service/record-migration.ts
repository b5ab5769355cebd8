import type { UseCases } from '@account-import/core'
import { E, TE } from '@account-import/core/adapter-kit'
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
    TE.right(applied),
  )()
  if (E.isLeft(recorded)) throw databaseError(recorded.left.cause)
}
