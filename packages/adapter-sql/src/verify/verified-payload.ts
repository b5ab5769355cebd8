import type { AccountKey } from '@account-import/core'
import { KeyRingError, type DataKeys } from '../encryption/data-keys.js'
import { DecryptionError } from '../encryption/encrypted-text.js'
import { payloadOf } from '../rows/kept-payload.js'

/** What stands for a text that cannot be decrypted, because it or its data key was changed: it is no JSON. */
const unreadable = ''

/** What work gives, and `otherwise` where something was changed that is encrypted; not where a key is not there. */
export const unlessChanged = async <A>(work: () => Promise<A>, otherwise: A): Promise<A> => {
  try {
    return await work()
  } catch (cause) {
    const isChanged =
      cause instanceof DecryptionError || (cause instanceof KeyRingError && cause.kind === 'unexpected')
    if (isChanged) return otherwise
    throw cause
  }
}

/** The payload as it was staged, or a text that is no JSON. Throws a `KeyRingError` where a key is missing. */
export const verifiedPayload = (
  dataKeys: DataKeys,
  key: AccountKey,
  payload: string | null,
  dataKey: string | null,
): Promise<string | null> =>
  unlessChanged(
    async () => (payload === null ? null : payloadOf(dataKeys, key, { payload, data_key: dataKey })),
    unreadable,
  )
