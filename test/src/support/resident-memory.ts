import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

// Linux only: it reads `/proc` of the process.
const statusOf = (pid: number, line: RegExp): number => {
  const [, kilobytes] = line.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  if (kilobytes === undefined) throw new Error(`Process ${pid} says nothing about its memory`)
  return Number(kilobytes) / 1024
}

/** Resident memory of a process in MiB. */
export const residentMemory = (pid: number): number => statusOf(pid, /^VmRSS:\s+(\d+) kB$/m)

/** The most memory of each process until the work ends, in MiB, read every 100 ms. */
export const highestMemory = async (
  pids: readonly number[],
  end: Promise<unknown>,
): Promise<readonly number[]> => {
  let highest = pids.map(() => 0)
  let going = true
  const stop = (): void => {
    going = false
  }
  end.then(stop, stop)
  while (going) {
    highest = pids.map((pid, at) => Math.max(highest[at] ?? 0, highWaterOf(pid)))
    await setTimeout(100)
  }
  return highest
}

/** Nothing once the process has ended. */
const highWaterOf = (pid: number): number => {
  try {
    return statusOf(pid, /^VmHWM:\s+(\d+) kB$/m)
  } catch {
    return 0
  }
}

/** The most memory of the process during the work, in MiB, read every 10 ms. */
export const peakMemory = async (pid: number, work: () => Promise<void>): Promise<number> => {
  let peak = residentMemory(pid)
  let going = true
  const watching = (async () => {
    while (going) {
      await setTimeout(10)
      peak = Math.max(peak, residentMemory(pid))
    }
  })()
  try {
    await work()
  } finally {
    going = false
    await watching
  }
  return peak
}
