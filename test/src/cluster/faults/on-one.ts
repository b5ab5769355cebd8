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

export const diskFull = (disk: SmallDisk): Fault => ({
  name: 'disk full, then with room again',
  async inject({ services, flow }) {
    disk.fill()
    try {
      await flow(6)
      // Reads go on: who looks at it is told that the database answers.
      await untilAllSay(services, 'ready')
    } finally {
      disk.makeRoom()
    }
    return 1
  },
})
