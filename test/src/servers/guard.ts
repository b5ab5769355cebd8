import { spawn } from 'node:child_process'

/**
 * Sees to it that the script runs when this process ends without having cleaned up, however that happens: a small process of its
 * own waits for the pipe from here to close. The result calls the guard off.
 */
const whenGone = (script: string, ...args: readonly string[]): (() => void) => {
  const watcher = spawn('/bin/sh', ['-c', `cat >/dev/null; ${script}`, 'guard', ...args], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // a signal to the group of this process must not end it
  })
  watcher.unref()
  return () => void watcher.kill('SIGKILL')
}

/** No server outlives this process: it is killed, and its folder removed. */
export const guard = (pid: number, folder: string): (() => void) =>
  whenGone('kill -9 "$1" 2>/dev/null; sleep 0.2; rm -rf "$2"', String(pid), folder)

/** No file system outlives this process and those that work on it. */
export const guardMount = (folder: string): (() => void) =>
  whenGone('sleep 0.5; umount -l "$1"; rmdir "$1"', folder)
