/** What ends a call before its answer is there. */
export type CallOptions = Readonly<{
  /** Ends it with the code `aborted`. */
  signal?: AbortSignal
  /**
   * For how long the service may say nothing before it ends with `service_silent`; the client's own when left out. 0, or `Infinity`:
   * for as long as it likes. Of a method that answers once it is the time for the whole answer; of one that answers line by
   * line, that between two lines.
   */
  silenceSeconds?: number
}>
