import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Starts a server of the bench and waits until it says its port. Rejects when it ends before. */
export const startChild = async (
  main: URL,
  settings: Readonly<Record<string, string>>,
): Promise<Readonly<{ child: ChildProcess; port: number; pid: number }>> => {
  const child = fork(main, { env: { ...process.env, NODE_ENV: 'production', ...settings } })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${main.pathname.split('/').slice(-2).join('/')} ended with ${code} before it served`)
  })
  ended.catch(() => undefined)
  const [{ port }] = (await Promise.race([once(child, 'message'), ended])) as [{ port: number }]
  return { child, port, pid: child.pid ?? -1 }
}
