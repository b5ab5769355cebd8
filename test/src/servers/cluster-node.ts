import type { RowDataPacket } from 'mysql2'

/** A database server of a cluster, and what can happen to it. */
export type ClusterNode = Readonly<{
  name: string
  /** Starts it on its data, as the first of a new cluster or joining the others; resolves when it belongs to it. */
  start(isFirst?: boolean): Promise<void>
  /** Kills it without warning. */
  kill(): Promise<void>
  /** Ends it as an operator would. */
  end(): Promise<void>
  /** Lets it stand still, keeping its connections. */
  pause(): void
  resume(): void
  /** Cuts it off from the other nodes, not from its clients; and joins it again. */
  isolate(): Promise<void>
  rejoin(): Promise<void>
  /** Makes it the one that others join, after the majority was lost. */
  goOnAlone(): Promise<void>
  /** Asks it as the user who may do everything. */
  query(sql: string): Promise<readonly RowDataPacket[]>
}>
