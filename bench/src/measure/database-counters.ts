import { createConnection, type RowDataPacket } from 'mysql2/promise'

export type DatabaseCounters = Readonly<{
  /** Deadlocks and lock timeouts since its start: each makes a server try again or fail. */
  read(): Promise<number>
  close(): Promise<void>
}>

const text =
  'SELECT SUM(count) AS brokenOff FROM information_schema.INNODB_METRICS ' +
  "WHERE name IN ('lock_deadlocks', 'lock_timeouts')"

type CounterRow = RowDataPacket & Readonly<{ brokenOff: number | string | null }>

/** Counted inside the database, so that the figures do not depend on what the servers report. */
export const openDatabaseCounters = async (url: string): Promise<DatabaseCounters> => {
  const connection = await createConnection(url)
  // MariaDB counts lock timeouts only when told to.
  await connection.query("SET GLOBAL innodb_monitor_enable = 'lock_deadlocks'")
  await connection.query("SET GLOBAL innodb_monitor_enable = 'lock_timeouts'")
  return {
    read: async () => {
      const [[row]] = await connection.query<CounterRow[]>(text)
      return Number(row?.brokenOff ?? 0)
    },
    close: () => connection.end(),
  }
}
