import { readFileSync } from 'node:fs'

const ticksPerSecond = 100

/** What a process has used of the processors since its start, in seconds; undefined where the system does not say. */
export const cpuSeconds = (pid: number): number | undefined => {
  if (process.platform !== 'linux') return undefined
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name of the program stands in brackets and may hold spaces: what is counted comes after it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}
