import { once } from 'node:events'
import { Agent, request, type IncomingMessage, type RequestOptions } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { endpoints } from '@account-import/http-contract'
import { median } from '../../support/median.js'
import { residentMemory } from '../../support/resident-memory.js'
import { once as onceOnly } from '../../support/once.js'

/** Many requests of one key at once. `hold`: the last byte of each body is sent only when all the others are there. */
export type Flood = Readonly<{
  path: string
  type: 'application/json' | 'application/x-ndjson'
  packed: boolean
  body: Buffer
  requests: number
  hold?: true
}>

/** A server process, a key that floods it, and a key of another organisation. */
export type Flooded = Readonly<{ address: string; pid: number; attacker: string; neighbour: string }>

/** How a service took a flood. Times in milliseconds, memory in MiB. */
export type FloodOutcome = Readonly<{
  /** Whether the process was there in the end. */
  survived: boolean
  /** Requests of the flood by status; 0: no answer. */
  statuses: Readonly<Record<number, number>>
  seconds: number
  /** Times of `/livez` on an open connection. */
  livezMedian: number
  livezWorst: number
  livezAnswers: number
  /** Slowest answer to a body of 300 KB of another organisation, and the number of answers during the flood. */
  neighbourWorst: number
  neighbourAnswers: number
  peakMemory: number
}>

const posting = (token: string, type: string, length: number, more: object = {}): RequestOptions => ({
  method: 'POST',
  headers: { Authorization: `Token ${token}`, 'Content-Type': type, 'Content-Length': length, ...more },
})

/** Answers when the answer has ended: its status. */
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
  // A request that is refused before its body has been read counts as held.
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

/** Sends a request again and again, on one connection, while the condition holds: milliseconds of each answer. */
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

/** Floods a server, and watches meanwhile what its health check and another organisation get. At least two seconds. */
export const tryFlood = async (to: Flooded, flood: Flood, mostSeconds = 120): Promise<FloodOutcome> => {
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
  const statuses: Record<number, number> = {}
  for (const status of await all) statuses[status] = (statuses[status] ?? 0) + 1
  const flooded = seconds()
  isOver = true
  const [livez = [], neighbour = []] = await Promise.all(watched)
  clearInterval(watch)
  return {
    survived: isThere(to.pid),
    statuses,
    seconds: flooded,
    livezMedian: median(livez),
    livezWorst: Math.max(0, ...livez),
    livezAnswers: livez.length,
    neighbourWorst: Math.max(0, ...neighbour),
    neighbourAnswers: neighbour.length,
    peakMemory,
  }
}
