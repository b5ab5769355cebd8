import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { guardMount, isAvailable, runCommand } from './processes.js'

/** A file system of its own, of a fixed size, in memory. */
export type SmallDisk = Readonly<{
  folder: string
  /** Takes all the room that is left, as other programs would. */
  fill(): void
  makeRoom(): void
  /** Nothing may work on it any more. */
  stop(): Promise<void>
}>

/** Whether file systems can be mounted: by root with its usual rights. */
export const smallDiskAvailable = (): boolean =>
  isAvailable(
    process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0,
    'No file system can be mounted',
  )

const writeUntilFull = (path: string): void => {
  const file = openSync(path, 'w')
  try {
    for (const size of [1 << 20, 1 << 12, 1])
      try {
        for (;;) writeSync(file, Buffer.alloc(size))
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code !== 'ENOSPC') throw cause
      }
  } finally {
    closeSync(file)
  }
}

/** All users may write to it. It is removed with this process at the latest. */
export const startSmallDisk = async (megabytes: number): Promise<SmallDisk> => {
  const folder = mkdtempSync(join(tmpdir(), 'account-import-disk-'))
  const options = `size=${megabytes}m,mode=1777`
  await runCommand('mount', ['-t', 'tmpfs', '-o', options, 'account-import-test', folder])
  const dismissGuard = guardMount(folder)
  const rest = join(folder, 'taken')
  return {
    folder,
    fill: () => writeUntilFull(rest),
    makeRoom: () => rmSync(rest),
    async stop() {
      // At once, also where the driver has not closed a file yet.
      await runCommand('umount', ['--lazy', folder])
      dismissGuard()
      rmdirSync(folder)
    },
  }
}
