import type { Failure } from '../result.js'

export type BulkOptions = Readonly<{
  /** Ends the work: the last result is then `stopped` with the code `aborted`. */
  signal?: AbortSignal
  /** How long the service may say nothing; 120 when left out. */
  silenceSeconds?: number
  /** How long to try again without any line getting its result; 60 when left out, 0 for never. */
  retrySeconds?: number
  /** Called before the wait for another try. */
  onRetry?: (failure: Failure, waitSeconds: number) => void
}>
