/** What was found out about one answer. */
export type Examined = Readonly<{
  endpoint: string
  status: number
  codes: readonly string[]
  /** What is wrong with it; empty where all is well. */
  faults: readonly string[]
}>
