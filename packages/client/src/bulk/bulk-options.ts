import type { CallOptions } from '../call-options.js'
import type { Failure } from '../result.js'

/** What ends the work is the failure of its last result, which is `stopped`. */
export type BulkOptions = CallOptions &
  Readonly<{
    /** How long to try again without any line getting its result; 60 when left out, 0 for never. */
    retrySeconds?: number
    /** Called before the wait for another try. */
    onRetry?: (failure: Failure, waitSeconds: number) => void
  }>
