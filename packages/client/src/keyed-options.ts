import type { CallOptions } from './call-options.js'

/** How a POST is repeated. */
export type KeyedOptions = CallOptions &
  Readonly<{
    /**
     * 1 to 255 visible ASCII characters that name the request, such as a UUID: sent again with the same key, it is answered
     * once, for 24 hours. With it a request is repeated while it has no answer that stays. Left out: sent once.
     */
    idempotencyKey?: string
    /** For how long it is repeated, where it has a key; 60 when left out, 0 for never. */
    retrySeconds?: number
  }>
