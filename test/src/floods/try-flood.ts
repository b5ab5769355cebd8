import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { endpoints } from '@account-import/http-contract'
import { residentMemory } from '../support/resident-memory.js'
import type { Flood } from './floods.js'

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

const headersOf = (token: string, { type, packed, body }: Flood) => ({
  Authorization: `Token ${token}`,
  'Content-Type': type,
  'Content-Length': body.length,
  ...(packed && { 'Content-Encoding': 'gzip' }),
})

const sendOne = async (
  to: Flooded,
  flood: Flood,
  isAll: Promise<unknown>,
  isHeld: () => void,
): Promise<number> => {
  const sending = request(to.address + flood.path, {
    method: 'POST',
    headers: headersOf(to.attacker, flood),
    agent: false,
  })
  try {
    sending.on('error', () => undefined)
    const answer = once(sending, 'response')
    // A request that is refused before its body has been read counts as held.
    answer.then(isHeld, isHeld)
    if (flood.hold === true) {
      sending.write(flood.body.subarray(0, -1), isHeld)
      await isAll
      sending.end(flood.body.subarray(-1))
    } else sending.end(flood.body)
    const [response] = (await answer) as [IncomingMessage]
    response.resume()
    await once(response, 'close')
    return response.statusCode ?? 0
  } catch {
    return 0
  } finally {
    sending.destroy()
  }
}

const sendAll = (to: Flooded, flood: Flood): Promise<readonly number[]> => {
  let left = flood.requests
  let open = (): void => undefined
  const isAll = new Promise<void>((resolve) => {
    open = resolve
  })
  const heldOnce = () => {
    let isCounted = false
    return (): void => {
      if (!isCounted) left -= 1
      isCounted = true
      if (left === 0) open()
    }
  }
  return Promise.all(Array.from({ length: flood.requests }, () => sendOne(to, flood, isAll, heldOnce())))
}

/** Sends the request again and again, on one connection, while the condition holds: milliseconds of each answer. */
const timesOf = async (
  url: string,
  options: Readonly<{
    method: string
    headers: Record<string, string | number>
    body: string
    pause: number
  }>,
  goesOn: () => boolean,
): Promise<readonly number[]> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  const { body, pause, ...rest } = options
  while (goesOn()) {
    const begun = performance.now()
    const sending = request(url, { ...rest, agent })
    sending.end(body)
    const [response] = (await once(sending, 'response')) as [IncomingMessage]
    response.resume()
    await once(response, 'end')
    times.push(performance.now() - begun)
    await delay(pause)
  }
  agent.destroy()
  return times
}

const medianOf = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Infinity

const isThere = (pid: number): boolean => {
  try {
    return residentMemory(pid) > 0
  } catch {
    return false
  }
}

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
  const livez = timesOf(`${to.address}/livez`, { method: 'GET', headers: {}, body: '', pause: 10 }, goesOn)
  const long = JSON.stringify({ padding: 'x'.repeat(300_000) })
  const neighbour = timesOf(
    to.address + endpoints.validateAccount.path,
    {
      method: 'POST',
      headers: {
        Authorization: `Token ${to.neighbour}`,
        'Content-Type': 'application/json',
        'Content-Length': long.length,
      },
      body: long,
      pause: 50,
    },
    goesOn,
  )
  const all = Promise.race([sendAll(to, flood), delay(mostSeconds * 1000, [], { ref: false })])
  const statuses: Record<number, number> = {}
  for (const status of await all) statuses[status] = (statuses[status] ?? 0) + 1
  const flooded = seconds()
  isOver = true
  const [livezTimes, neighbourTimes] = await Promise.all([livez.catch(() => []), neighbour.catch(() => [])])
  clearInterval(watch)
  return {
    survived: isThere(to.pid),
    statuses,
    seconds: flooded,
    livezMedian: medianOf(livezTimes),
    livezWorst: Math.max(0, ...livezTimes),
    livezAnswers: livezTimes.length,
    neighbourWorst: Math.max(0, ...neighbourTimes),
    neighbourAnswers: neighbourTimes.length,
    peakMemory,
  }
}
