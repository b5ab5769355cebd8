import { DatabaseError } from '../connect/database-error.js'

/** The statement clashed with a unique key. */
const isDuplicate = (cause: unknown): boolean =>
  cause instanceof DatabaseError &&
  (cause.errno === 1062 ||
    cause.code === 'SQLITE_CONSTRAINT_PRIMARYKEY' ||
    cause.code === 'SQLITE_CONSTRAINT_UNIQUE')

/** Runs an insert; `otherwise` when there is such a row already. */
export const unlessDuplicate = async <A, B>(insert: () => Promise<A>, otherwise: B): Promise<A | B> => {
  try {
    return await insert()
  } catch (cause) {
    if (isDuplicate(cause)) return otherwise
    throw cause
  }
}
