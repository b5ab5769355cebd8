import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

const patienceMilliseconds = 15_000

/** Asks the child to end, and resolves when it is gone; one that does not listen is killed. */
export const stopChild = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMilliseconds)
  child.kill('SIGTERM')
  await gone
  clearTimeout(timer)
}
