/** What ends a call before its answer is there. */
export type CallOptions = Readonly<{
  /** Ends it with the code `aborted`. */
  signal?: AbortSignal
  /** For how long the service may say nothing before it ends with `service_silent`; the client's own when left out. */
  silenceSeconds?: number
}>
