import type { SentPayload } from '@account-import/core'
import type { Either } from '@account-import/core/adapter-kit'
import type { TransportRefusal } from '@account-import/http-contract'
import { jsonOf } from '@account-import/http-contract'
import { parsingSlice } from '../limits/loop-slice.js'

/** The JSON that a body holds, parsed within the slice of the event loop. `owner`: whose turn it is; organisations take turns. */
export const jsonIn = async (
  bytes: Uint8Array,
  owner: string,
): Promise<Either<TransportRefusal, Required<SentPayload>>> => {
  if (!parsingSlice.mayBegin()) await parsingSlice.later(owner)
  return jsonOf(bytes)
}
