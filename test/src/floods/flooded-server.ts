import { makeUseCases } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { rawApi } from '../journeys/support/raw-api.js'
import { tokenOf } from '../journeys/support/token-of.js'
import { bin } from '../support/cli-process.js'
import { onBackend } from '../support/on-backend.js'
import { setUp } from '../support/set-up.js'
import { startServerProcess } from '../support/server-process.js'
import { openSharedDatabase } from '../support/shared-database.js'
import type { Flooded } from './try-flood.js'

/** The memory that examples/deploy/kubernetes.yaml gives to a process. */
const heap = {
  NODE_OPTIONS: '--max-old-space-size=384',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
}

/** A server on SQLite with a bounded heap, the built one as its memory is measured, and the tokens of two organisations. */
export const withFloodedServer = (
  work: (server: Flooded) => Promise<void>,
  program: string = bin,
): Promise<void> =>
  onBackend.sqlite(async (url) => {
    const database = await openSharedDatabase(url)
    const other = await setUp(makeUseCases(inMemoryPorts(database.stores)).operator)
    const server = await startServerProcess({ ...database.environment, ...heap }, program)
    try {
      const token = (apiKey: string): Promise<string> => tokenOf(rawApi(server.address), apiKey)
      const [attacker, neighbour] = [await token(database.apiKey), await token(other.apiKey)]
      await work({ address: server.address, pid: server.pid, attacker, neighbour })
    } finally {
      await server.stop()
      await database.close()
    }
  })
