/** Database servers that hold the same data; one alone, too. */
export type Cluster = Readonly<{
  /** `Galera`, for one. */
  name: string
  /** What it is, with versions, for the report. */
  what: string
  /** The addresses of a new, empty database, as `DATABASE_URL` takes them: one for each server of ours. */
  createDatabase(): Promise<readonly string[]>
  /** Resolves when all nodes belong to the cluster, have the same data and take writes. */
  whole(): Promise<void>
  /** Ends all nodes, and leaves nothing behind. */
  stop(): Promise<void>
}>
