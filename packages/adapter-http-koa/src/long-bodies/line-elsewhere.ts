import { portFailure, type Actor, type LineElsewhere } from '@account-import/core'
import { E } from '@account-import/core/adapter-kit'
import type { LongBodies } from './long-request.js'

/** Has a long line worked on in another thread. A thread that dies fails this line alone. */
export const lineElsewhere =
  (longBodies: LongBodies, organisation: string, by: Actor) =>
  (bytes: Uint8Array, gone: () => AbortSignal): LineElsewhere => {
    const failed = (cause: unknown) => ({
      line: 1,
      externalAccountNumber: undefined,
      outcome: E.left(portFailure('unexpected', 'longBodies', 'line', cause)),
    })
    const line = { organisation, by, bytes }
    return {
      bulkValidate: () => longBodies.bulkValidate(line, gone()).catch(failed),
      bulkStage: () => longBodies.bulkStage(line, gone()).catch(failed),
    }
  }
