import { makeUseCases } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { endpoints } from '@account-import/http-contract'
import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { rawApi } from '../../journeys/support/raw-api.js'
import { tokenOf } from '../../journeys/support/token-of.js'
import { bin } from '../../support/cli-process.js'
import { onBackend } from '../../support/on-backend.js'
import { startServerProcess } from '../../support/server-process.js'
import { setUp } from '../../support/set-up.js'
import { openSharedDatabase } from '../../support/shared-database.js'
import type { Flood, Flooded } from './try-flood.js'

const megabytes5 = 5_242_880

/** A list of empty objects: the JSON that takes most memory for its length. */
const emptyObjects = (bytes: number): string => `[${'{},'.repeat(Math.floor(bytes / 3) - 1)}{}]`

const json = { type: 'application/json', path: endpoints.validateAccount.path } as const
const lines = { type: 'application/x-ndjson', path: endpoints.bulkValidate.path } as const

const small = { packed: true, body: gzipSync(emptyObjects(megabytes5)) }

/** The same, with so much random text in it that it unpacks to less than a hundred times its packed length. */
const larger = {
  packed: true,
  body: gzipSync(
    `["${randomBytes(45_000).toString('base64')}",${emptyObjects(megabytes5 - 70_000).slice(1)}`,
  ),
}

const lineFeeds = { packed: true, body: gzipSync(Buffer.alloc(134_217_728, '\n')) }

const unpacked = { packed: false, body: Buffer.from(emptyObjects(262_000)) }

/** Floods that took the process, its memory or its event loop, before anything bounded what bodies and lines take. */
export const floods: Readonly<Record<string, Flood>> = {
  '16 long lines in 5 KB each': { ...lines, ...small, requests: 16 },
  '160 long lines in 5 KB each': { ...lines, ...small, requests: 160 },
  '40 long lines in 60 KB each': { ...lines, ...larger, requests: 40 },
  '128 MiB of line feeds in 130 KB': { ...lines, ...lineFeeds, requests: 1 },
  '400 bodies of 262 KB that end together': { ...json, ...unpacked, requests: 400, hold: true },
  '200 long bodies in 5 KB each': { ...json, ...small, requests: 200 },
  '200 long bodies in 60 KB each': { ...json, ...larger, requests: 200 },
}

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
    const { address, pid, stop } = await startServerProcess({ ...database.environment, ...heap }, program)
    try {
      const [attacker, neighbour] = [
        await tokenOf(rawApi(address), database.apiKey),
        await tokenOf(rawApi(address), other.apiKey),
      ]
      await work({ address, pid, attacker, neighbour })
    } finally {
      await stop()
      await database.close()
    }
  })
