import { createConnection, type RowDataPacket } from 'mysql2/promise'

/** Times since its start that the database broke off a transaction: each makes a server try again or fail. */
export type BrokenOff = Readonly<{ deadlocks: number; lockTimeouts: number }>

export type DatabaseCounters = Readonly<{ read(): Promise<BrokenOff>; close(): Promise<void> }>

const text =
  "SELECT SUM(IF(name = 'lock_deadlocks', count, 0)) AS deadlocks, " +
  "SUM(IF(name = 'lock_timeouts', count, 0)) AS lockTimeouts FROM information_schema.INNODB_METRICS"

type CounterRow = RowDataPacket & Readonly<{ deadlocks: number | string; lockTimeouts: number | string }>

/** Counted inside the database, so that the figures do not depend on what the servers report. */
export const openDatabaseCounters = async (url: string): Promise<DatabaseCounters> => {
  const connection = await createConnection(url)
  // MariaDB counts lock timeouts only when told to.
  await connection.query("SET GLOBAL innodb_monitor_enable = 'lock_deadlocks'")
  await connection.query("SET GLOBAL innodb_monitor_enable = 'lock_timeouts'")
  return {
    read: async () => {
      const [[row]] = await connection.query<CounterRow[]>(text)
      return { deadlocks: Number(row?.deadlocks ?? 0), lockTimeouts: Number(row?.lockTimeouts ?? 0) }
    },
    close: () => connection.end(),
  }
}
