import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { createConnection, type RowDataPacket } from 'mysql2/promise'

// Figures of Linux about a process and its children; elsewhere nothing is known.

const contentOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // the process has ended
  }
}

/** The fields of /proc/PID/stat behind the program's name, which stands in brackets and may hold spaces. */
const statOf = (pid: number): readonly string[] => {
  const text = contentOf(`/proc/${pid}/stat`)
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

const sumOverTree = (pid: number, figure: (pid: number) => number): number | undefined => {
  if (process.platform !== 'linux') return undefined
  const all = readdirSync('/proc').map(Number).filter(Number.isInteger)
  const found = [pid]
  for (const each of found) found.push(...all.filter((child) => Number(statOf(child)[1]) === each))
  return found.reduce((sum, each) => sum + figure(each), 0)
}

const millisecondsPerTick = 10

/** Their processor time since their start, in milliseconds. */
export const cpuMilliseconds = (pid: number): number | undefined =>
  sumOverTree(pid, (each) => {
    const stat = statOf(each)
    return (Number(stat[11] ?? 0) + Number(stat[12] ?? 0)) * millisecondsPerTick
  })

/** The most memory that they had resident since `forgetPeak`, in MB. */
export const peakMemory = (pid: number): number | undefined =>
  sumOverTree(
    pid,
    (each) => Number(/^VmHWM:\s+(\d+)/m.exec(contentOf(`/proc/${each}/status`))?.[1] ?? 0) / 1024,
  )

/** Begins anew with the most memory. */
export const forgetPeak = (pid: number): void => {
  sumOverTree(pid, (each) => {
    writeFileSync(`/proc/${each}/clear_refs`, '5')
    return 0
  })
}

/** Deadlocks and lock timeouts since the database's start: each makes a server try again or fail. */
export type BrokenOff = Readonly<{ read(): Promise<number>; close(): Promise<void> }>

/** Counted inside the database, so that the figures do not depend on what the servers report. */
export const countBrokenOff = async (url: string): Promise<BrokenOff> => {
  const connection = await createConnection(url)
  // MariaDB counts lock timeouts only when told to.
  for (const counter of ['lock_deadlocks', 'lock_timeouts'])
    await connection.query(`SET GLOBAL innodb_monitor_enable = '${counter}'`)
  return {
    read: async () => {
      const [[row]] = await connection.query<RowDataPacket[]>(
        'SELECT SUM(count) AS brokenOff FROM information_schema.INNODB_METRICS ' +
          "WHERE name IN ('lock_deadlocks', 'lock_timeouts')",
      )
      return Number(row?.['brokenOff'] ?? 0)
    },
    close: () => connection.end(),
  }
}
