/** Any JSON object may be sent: the service validates it. The type of the payload is there to help. */
export type JsonObject = Readonly<Record<string, unknown>>

/** JSON whose fields the compiler does not know, such as `Record<string, unknown>`. */
export type UntypedJson<Given> = Given & (string extends keyof Given ? unknown : never)

/** Options that end a call before its answer is there. */
export type CallOptions = Readonly<{
  /** Ends it with the code `aborted`. */
  signal?: AbortSignal
  /**
   * For how long the service may say nothing before it ends with `service_silent`; the client's own when left out. 0, or `Infinity`:
   * for as long as it likes. For a method that answers once it is the time for the whole answer; for one that answers line by
   * line, that between two lines.
   */
  silenceSeconds?: number
}>

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

/** How transactions are added; each is true when it is absent. */
export type TransactionOptions = Readonly<{
  /** Pass over transactions whose id the account has already; false adds them again. */
  checkPreviouslyAdded?: boolean
  /** Move a date outside the open statement period into it; false makes such a transaction fail. */
  forceAddToCurrentStatement?: boolean
}>
