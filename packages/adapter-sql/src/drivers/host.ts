import type { ConnectionOptions } from 'mysql2'
import { askOn, openConnection, type OpenConnection } from './open-connection.js'
import { assertTakesWrites } from './takes-writes.js'

/** One of the servers that a URL names. */
export type Host = Readonly<{
  /** Connects; rejects with a `DatabaseError` when it cannot be used for what is to be done. */
  open(): Promise<OpenConnection>
  /** Rejects with a `DatabaseError` when it cannot be used any more. */
  check(connection: OpenConnection): Promise<void>
  /** As `open`, for those who only ask. */
  answers(): Promise<void>
}>

export type HostOptions = Readonly<{
  /** Whether any server that answers will do, because nothing is to be written. */
  onlyReads: boolean
  /** How long it may take to let somebody in, and to answer, milliseconds. */
  limitMilliseconds: number
  /** Told of a connection that broke. */
  onLost: (connection: OpenConnection) => void
}>

export const makeHost = (
  settings: ConnectionOptions,
  { onlyReads, limitMilliseconds, onLost }: HostOptions,
): Host => {
  const check = async (connection: OpenConnection): Promise<void> => {
    if (!onlyReads) await assertTakesWrites(askOn(connection, limitMilliseconds))
  }
  const open = async (): Promise<OpenConnection> => {
    const connection = await openConnection({ ...settings, connectTimeout: limitMilliseconds }, onLost)
    try {
      await check(connection)
      return connection
    } catch (cause) {
      connection.stream.destroy()
      throw cause
    }
  }
  return { open, check, answers: async () => (await open()).end() }
}
