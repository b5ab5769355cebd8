import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

/** Resident memory of a process in MiB. Linux only: it reads what the kernel says about the process. */
export const residentMemory = (pid: number): number => {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  if (kilobytes === undefined) throw new Error(`Process ${pid} says nothing about its memory`)
  return Number(kilobytes) / 1024
}

/** The most memory that the process has while the work goes on, in MiB, looked at every 10 ms. */
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
