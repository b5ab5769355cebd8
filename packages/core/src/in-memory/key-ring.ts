import type { KeyRing } from '../ports/key-ring.js'
import { portCall, portFailure } from '../ports/port-failure.js'
import { TE } from '../fp.js'

/** What the keys of one test or process have wrapped, by id and text; several key rings may share it. */
export type WrappedKeys = Map<string, Uint8Array>

/** Keys that are names alone, the first one for new data keys: what was wrapped is remembered, not encrypted. For tests. */
export const inMemoryKeyRing = (
  [currentKeyId, ...others]: readonly [string, ...string[]],
  remembered: WrappedKeys = new Map(),
): KeyRing => {
  const ids = new Set([currentKeyId, ...others])
  const call = portCall('keyRing')
  return {
    currentKeyId,
    wrap: (dataKey) =>
      call('wrap', async () => {
        const wrapped = String(remembered.size + 1)
        remembered.set(`${currentKeyId}:${wrapped}`, dataKey.slice())
        return { keyId: currentKeyId, wrapped }
      }),
    unwrap: ({ keyId, wrapped }) => {
      const failed = (kind: 'unavailable' | 'unexpected', what: string) =>
        TE.left(portFailure(kind, 'keyRing', 'unwrap', new Error(what)))
      if (!ids.has(keyId)) return failed('unavailable', 'there is no key of this id')
      const dataKey = remembered.get(`${keyId}:${wrapped}`)
      return dataKey === undefined ? failed('unexpected', 'the key did not wrap this') : TE.right(dataKey)
    },
  }
}
