import { makeUseCases } from '@account-import/core/fp'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { endpoints } from '@account-import/http-contract'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request, type IncomingMessage, type RequestOptions } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { rawApi } from '../../journeys/support/raw-api.js'
import { tokenOf } from '../../journeys/support/token-of.js'
import { bin } from '../../support/cli-process.js'
import { counted } from '../../support/counted.js'
import { median } from '../../support/median.js'
import { onBackend } from '../../support/on-backend.js'
import { once as onceOnly } from '../../support/once.js'
import { gasAccount } from '../../support/samples.js'
import { residentMemory } from '../../support/resident-memory.js'
import { startServerProcess } from '../../support/server-process.js'
import { setUp } from '../../support/set-up.js'
import { openSharedDatabase } from '../../support/shared-database.js'

/** Many requests of one key at once. `hold`: the last byte of each body is sent only when all the others are there. */
type Flood = Readonly<{
  path: string
  type: 'application/json' | 'application/x-ndjson'
  packed: boolean
  body: Buffer
  requests: number
  hold?: true
}>

/** A server process, a key that floods it, and a key of another organisation. */
type Flooded = Readonly<{ address: string; pid: number; attacker: string; neighbour: string }>

const megabytes5 = 5_242_880

/** A list of empty objects: the JSON with most memory for its length. */
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

/** Accounts of 39,000 values in 117 KB, which are not long: as many parsed ones as streams exhausted the heap. */
const accountLines = {
  packed: false,
  body: Buffer.from(
    `${JSON.stringify({ ...gasAccount('NOBODY', 'A'), metadata: [{ key: 'list', value: { list: '@' } }] }).replace('"@"', emptyObjects(115_000))}\n`.repeat(
      3,
    ),
  ),
}

/** Lines with 1,000 errors each, which take 150 times the memory of the line. */
const faultyLines = { packed: false, body: Buffer.from(`{"customers":${emptyObjects(1500)}}\n`.repeat(40)) }

/** Floods that exhausted the process, its memory or its event loop, before bodies and lines had limits. */
export const floods = {
  '16 long lines in 5 KB each': { ...lines, ...small, requests: 16 },
  '160 long lines in 5 KB each': { ...lines, ...small, requests: 160 },
  '40 long lines in 60 KB each': { ...lines, ...larger, requests: 40 },
  '128 MiB of line feeds in 130 KB': { ...lines, ...lineFeeds, requests: 1 },
  '200 streams of lines of 117 KB': { ...lines, ...accountLines, requests: 200 },
  '200 streams of lines with 1000 errors': { ...lines, ...faultyLines, requests: 200 },
  '400 bodies of 262 KB that end together': { ...json, ...unpacked, requests: 400, hold: true },
  '200 long bodies in 5 KB each': { ...json, ...small, requests: 200 },
  '200 long bodies in 60 KB each': { ...json, ...larger, requests: 200 },
} as const satisfies Readonly<Record<string, Flood>>

/** The memory that examples/deploy/kubernetes.yaml gives to a process. */
const heap = {
  NODE_OPTIONS: '--max-old-space-size=384',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
}

/** Works with a server on SQLite with a bounded heap, the built one as its memory is measured, and the tokens of two organisations. */
export const withFloodedServer = <A>(work: (server: Flooded) => Promise<A>): Promise<A> =>
  onBackend.sqlite(async (url) => {
    const database = await openSharedDatabase(url)
    const other = await setUp(makeUseCases(inMemoryPorts(database.stores)).operator)
    const { address, pid, stop } = await startServerProcess({ ...database.environment, ...heap }, bin)
    try {
      const attacker = await tokenOf(rawApi(address), database.apiKey)
      const neighbour = await tokenOf(rawApi(address), other.apiKey)
      return await work({ address, pid, attacker, neighbour })
    } finally {
      await stop()
      await database.close()
    }
  })

const posting = (token: string, type: string, length: number, more: object = {}): RequestOptions => ({
  method: 'POST',
  headers: { Authorization: `Token ${token}`, 'Content-Type': type, 'Content-Length': length, ...more },
})

/** The status, when the answer has ended. */
const answered = async (sending: ReturnType<typeof request>): Promise<number> => {
  const [response] = (await once(sending, 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'close')
  return response.statusCode ?? 0
}

const sendOne = async (
  { address, attacker }: Flooded,
  { path, type, packed, body, hold }: Flood,
  areHeld: Promise<void>,
  isHeld: () => void,
): Promise<number> => {
  const options = posting(attacker, type, body.length, packed ? { 'Content-Encoding': 'gzip' } : {})
  const sending = request(address + path, { ...options, agent: false })
  // A request that is refused before its body was read counts as held.
  sending.on('error', isHeld).once('response', isHeld)
  const status = answered(sending).catch(() => 0)
  if (hold === true) {
    sending.write(body.subarray(0, -1), isHeld)
    await areHeld
    sending.end(body.subarray(-1))
  } else sending.end(body)
  await status
  sending.destroy()
  return status
}

const sendAll = (to: Flooded, flood: Flood): Promise<readonly number[]> => {
  const all = onceOnly()
  const held = new Set<number>()
  const hold = (index: number): void => {
    held.add(index)
    if (held.size === flood.requests) all.happen()
  }
  return Promise.all(
    Array.from({ length: flood.requests }, (_, index) => sendOne(to, flood, all.happened, () => hold(index))),
  )
}

/** Repeats a request on one connection while the condition holds: milliseconds of each response. */
const timesOf = async (
  url: string,
  options: RequestOptions,
  body: string,
  pause: number,
  goesOn: () => boolean,
): Promise<readonly number[]> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  while (goesOn()) {
    const begun = performance.now()
    const sending = request(url, { ...options, agent })
    sending.end(body)
    await answered(sending)
    times.push(performance.now() - begun)
    await delay(pause)
  }
  agent.destroy()
  return times
}

const isThere = (pid: number): boolean => {
  try {
    return residentMemory(pid) > 0
  } catch {
    return false
  }
}

const long = JSON.stringify({ padding: 'x'.repeat(300_000) })

/**
 * Floods a server, and meanwhile measures its health check and another organisation, for at least two seconds. Times in
 * milliseconds, memory in MiB.
 */
export const tryFlood = async (to: Flooded, flood: Flood, mostSeconds = 120) => {
  const begun = performance.now()
  let isOver = false
  let peakMemory = 0
  const seconds = (): number => (performance.now() - begun) / 1000
  const goesOn = (): boolean => (!isOver || seconds() < 2) && seconds() < mostSeconds
  const watch = setInterval(() => {
    if (isThere(to.pid)) peakMemory = Math.max(peakMemory, residentMemory(to.pid))
  }, 20)
  const asked = posting(to.neighbour, 'application/json', long.length)
  const watched = [
    timesOf(`${to.address}/livez`, {}, '', 10, goesOn),
    timesOf(to.address + endpoints.validateAccount.path, asked, long, 50, goesOn),
  ].map((times) => times.catch((): readonly number[] => []))
  const all = Promise.race([sendAll(to, flood), delay(mostSeconds * 1000, [], { ref: false })])
  const statuses = counted((await all).map(String))
  const flooded = seconds()
  isOver = true
  const [livez = [], neighbour = []] = await Promise.all(watched)
  clearInterval(watch)
  return {
    /** Whether the process was running at the end. */
    survived: isThere(to.pid),
    /** Requests of the flood by status; 0: no answer. */
    statuses,
    seconds: flooded,
    /** Times of `/livez` on an open connection. */
    livezMedian: median(livez),
    livezWorst: Math.max(0, ...livez),
    livezAnswers: livez.length,
    /** Slowest answer to a body of 300 KB of another organisation, and the number of answers during the flood. */
    neighbourWorst: Math.max(0, ...neighbour),
    neighbourAnswers: neighbour.length,
    peakMemory,
  }
}
