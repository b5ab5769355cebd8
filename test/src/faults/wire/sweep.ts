import { setTimeout } from 'node:timers/promises'
import { cutPoints } from './cut-points.js'
import type { Pieces, TcpProxy } from './tcp-proxy.js'

/** What a client is told: it is done, or it may ask again; anything else is a fault, in words. */
export type Told = 'done' | 'later' | Readonly<{ fault: string }>

/** A request that can be sent again. */
export type Request = () => Promise<Told>

export type Sweep = Readonly<{
  /** Bytes and pieces that one request took, both ways together. */
  bytes: number
  pieces: number
  /** Cuts that were set, and those that came before the request was answered. */
  cuts: number
  happened: number
  /** Requests that were told to come again. */
  later: number
  slowestRecoveryMilliseconds: number
  faults: readonly string[]
}>

const mostMilliseconds = 8000

/** Sends the request until it is done; the milliseconds that it took, or what went wrong. */
const untilDone = async (request: Request): Promise<number | Readonly<{ fault: string }>> => {
  const begun = performance.now()
  for (;;) {
    const told = await request()
    const milliseconds = performance.now() - begun
    if (told === 'done') return milliseconds
    if (told !== 'later') return told
    if (milliseconds > mostMilliseconds) return { fault: 'cannot be done any more' }
    await setTimeout(50)
  }
}

const mustBeDone = async (request: Request): Promise<void> => {
  const told = await untilDone(request)
  if (typeof told !== 'number') throw new Error(told.fault)
}

const bytesOf = ({ there, back }: Pieces): number => (there.at(-1) ?? 0) + (back.at(-1) ?? 0)

/** What one request sends and is sent; of several, as what the server does for itself may come between. */
const fewestPieces = async (proxy: TcpProxy, fresh: () => Promise<Request>): Promise<Pieces> => {
  const measured: Pieces[] = []
  for (let times = 0; times < 4; times += 1) {
    // Chores of a server that has just started come together.
    await setTimeout(times * 150)
    const request = await fresh()
    proxy.set()
    await mustBeDone(request)
    measured.push(proxy.pieces())
  }
  return measured.reduce((fewest, pieces) => (bytesOf(pieces) < bytesOf(fewest) ? pieces : fewest))
}

/**
 * Sends requests of one kind through the proxy, and cuts the connection at every point of what one of them sends and is
 * sent: each has to be done, or told to come again, and then to be done. `fresh` makes one that was not sent before.
 */
export const sweep = async (
  proxy: TcpProxy,
  fresh: () => Promise<Request>,
  mostCuts = Infinity,
): Promise<Sweep> => {
  // The first opens connections and prepares statements, which later ones find there.
  await mustBeDone(await fresh())
  const pieces = await fewestPieces(proxy, fresh)
  const points = cutPoints(pieces, mostCuts / 2)
  const found = { happened: 0, later: 0, slowestRecoveryMilliseconds: 0, faults: new Array<string>() }
  for (const point of points) {
    await mustBeDone(await fresh())
    const request = await fresh()
    proxy.set(point)
    const told = await request()
    if (proxy.happened()) found.happened += 1
    proxy.set()
    if (told === 'later') found.later += 1
    const again = told === 'later' || told === 'done' ? await untilDone(request) : told
    if (typeof again === 'number')
      found.slowestRecoveryMilliseconds = Math.max(found.slowestRecoveryMilliseconds, again)
    else found.faults.push(`${again.fault}, cut after ${point.after} bytes ${point.way}`)
  }
  return {
    bytes: bytesOf(pieces),
    pieces: pieces.there.length + pieces.back.length,
    cuts: points.length,
    ...found,
  }
}
