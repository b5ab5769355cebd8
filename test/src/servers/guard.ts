import { spawn } from 'node:child_process'

/**
 * Sees to it that a server does not outlive this process, however that ends: a small process of its own waits for
 * the pipe from here to close, then kills the server and removes its folder. The result calls the guard off.
 */
export const guard = (pid: number, folder: string): (() => void) => {
  const script = 'cat >/dev/null; kill -9 "$1" 2>/dev/null; sleep 0.2; rm -rf "$2"'
  const watcher = spawn('/bin/sh', ['-c', script, 'guard', String(pid), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // a signal to the group of this process must not end it
  })
  watcher.unref()
  return () => void watcher.kill('SIGKILL')
}
