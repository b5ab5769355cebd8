import { readFileSync, readdirSync, writeFileSync } from 'node:fs'

// What Linux says about a process and those that it started; elsewhere nothing is known.

const millisecondsPerTick = 10

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

const treeOf = (pid: number): readonly number[] => {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const parents = new Map(all.map((name) => [Number(name), Number(statOf(Number(name))[1])]))
  const found = [pid]
  for (const each of found) for (const [child, parent] of parents) if (parent === each) found.push(child)
  return found
}

const sumOver = (pid: number, figure: (pid: number) => number): number | undefined =>
  process.platform === 'linux' ? treeOf(pid).reduce((sum, each) => sum + figure(each), 0) : undefined

/** What they have used of the processors since their start, in milliseconds. */
export const cpuMilliseconds = (pid: number): number | undefined =>
  sumOver(pid, (each) => {
    const stat = statOf(each)
    return (Number(stat[11] ?? 0) + Number(stat[12] ?? 0)) * millisecondsPerTick
  })

/** The most memory that they had resident since `forgetPeak`, in MB. */
export const peakMemory = (pid: number): number | undefined =>
  sumOver(pid, (each) => Number(/^VmHWM:\s+(\d+)/m.exec(contentOf(`/proc/${each}/status`))?.[1] ?? 0) / 1024)

/** Begins anew with the most memory. */
export const forgetPeak = (pid: number): void => {
  sumOver(pid, (each) => {
    writeFileSync(`/proc/${each}/clear_refs`, '5')
    return 0
  })
}
