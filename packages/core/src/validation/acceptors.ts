import type { Acceptor } from '../codec/quick/quick-read.js'
import type { Reader } from '../codec/index.js'
import { accountPayload } from '../payloads/account.js'
import { isAccount } from '../payloads/quick/account.js'

/** The codecs that code was generated for: what is judged often. */
const acceptors = new Map<Reader<unknown>, Acceptor>([[accountPayload, isAccount]])

/** The code that was generated for a codec, if there is any. */
export const acceptorOf = (codec: Reader<unknown>): Acceptor | undefined => acceptors.get(codec)
