import type { MariaDb, SmallDisk } from '../../servers/index.js'
import type { Fault } from '../fault.js'
import { untilAllSay } from '../readiness.js'

/** So often in a run, as it takes them a second or two to be back. */
const kills = 3

export const serverKilled: Fault = {
  name: 'server killed (kill -9), started again',
  async inject({ services, run, flow }) {
    for (let turn = 0; turn < kills; turn += 1) {
      await flow(1 + Math.random())
      await services[(run + turn) % services.length]?.killAndStart()
    }
    return kills
  },
}

export const databaseKilled = (database: MariaDb): Fault => ({
  name: 'database killed (kill -9), started again',
  async inject({ services, flow }) {
    for (let turn = 0; turn < kills; turn += 1) {
      await flow(1 + Math.random())
      await database.kill()
      await untilAllSay(services, 'database_unavailable')
      await database.restart()
      await untilAllSay(services, 'ready')
    }
    return kills
  },
})

/** `isNoticed`: whether every write fails on the full disk. A database server may have room of its own for a small row. */
export const diskFull = (disk: SmallDisk, isNoticed: boolean): Fault => ({
  name: 'disk full, then with room again',
  async inject({ services, flow }) {
    disk.fill()
    try {
      await flow(6)
      // Reads go on, but a service that cannot write is not ready.
      if (isNoticed) await untilAllSay(services, 'database_unavailable')
    } finally {
      disk.makeRoom()
    }
    await untilAllSay(services, 'ready')
    return 1
  },
})
