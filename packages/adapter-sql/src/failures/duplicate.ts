import { dialects } from '../dialects/dialects.js'
import { DatabaseError } from '../drivers/database-error.js'

/** Runs an insert; `otherwise` when there is such a row already. */
export const unlessDuplicate = async <A, B>(insert: () => Promise<A>, otherwise: B): Promise<A | B> => {
  try {
    return await insert()
  } catch (cause) {
    if (cause instanceof DatabaseError && dialects.some(({ errors }) => errors.isDuplicate(cause)))
      return otherwise
    throw cause
  }
}
