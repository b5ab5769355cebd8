import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { smallDiskAvailable, startSmallDisk } from '../servers/index.js'
import type { TriedCluster } from './fault.js'
import { diskFull, serverKilled } from './faults/on-one.js'
import { races } from './faults/on-nodes.js'

const megabytes = 256

/** A file of SQLite, on a disk of its own where there can be one, and two servers of ours. */
export const startOneSqlite = async (): Promise<TriedCluster> => {
  const disk = smallDiskAvailable() ? await startSmallDisk(megabytes) : undefined
  const folder = mkdtempSync(join(disk?.folder ?? tmpdir(), 'account-import-run-'))
  let databases = 0
  const cluster = {
    name: 'SQLite',
    what: 'SQLite of libsql',
    async createDatabase() {
      databases += 1
      const url = `sqlite:${join(folder, `import-${databases}.db`)}`
      return [url, url]
    },
    whole: async () => undefined,
    async stop() {
      rmSync(folder, { recursive: true })
      await disk?.stop()
    },
  }
  const faults = [races, serverKilled]
  return { cluster, faults: disk === undefined ? faults : [...faults, diskFull(disk, true)] }
}
