/** A server under measurement, with an empty database of its own. */
export type System = Readonly<{
  name: 'ours' | 'floor'
  port: number
  /** What its requests are authorised by. */
  token: string
  pid: number
  databaseUrl: string
  stop(): Promise<void>
}>

/** Connections to the database, the same on both sides. */
export const poolSize = 16
