import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** In a child: a setting that it cannot do without. */
export const setting = (name: string): string => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set`)
  return value
}

/** How a server of the bench says that it serves. */
type Served = Readonly<{ port: number; token?: string }>

/** Starts a server of the bench and waits until it serves. Rejects when it ends before. */
export const startChild = async (
  main: URL,
  settings: Readonly<Record<string, string>>,
): Promise<Served & Readonly<{ child: ChildProcess; pid: number }>> => {
  const child = fork(main, { env: { ...process.env, NODE_ENV: 'production', ...settings } })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${main.pathname.split('/').slice(-2).join('/')} ended with ${code} before it served`)
  })
  ended.catch(() => undefined)
  const [served] = (await Promise.race([once(child, 'message'), ended])) as [Served]
  return { ...served, child, pid: child.pid ?? -1 }
}

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
