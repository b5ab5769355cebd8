import { setTimeout } from 'node:timers/promises'
import { outcomeOf, type FaultOutcome } from '../fault-run.js'
import type { RequestKind } from '../loads/requests.js'
import type { Pieces, TcpProxy, Way, WireFault } from '../../support/tcp-proxy.js'
import { inWorld, type Place, type World } from '../world/world.js'

type Send = () => Promise<'done' | 'later'>

/** The place of the proxy, and its world. */
type Wired = World & Readonly<{ proxy: TcpProxy }>

const mostMilliseconds = 8000

/** A new request; accounts to be processed are staged without a request. */
const fresh = async (world: World, kind: RequestKind): Promise<Send> => {
  if (kind === 'processing') await world.stageDirectly(1)
  if (kind === 'bulk processing') await world.stageDirectly(8)
  const [client] = world.clients
  const request = world.requests.fresh(kind)
  if (request === undefined || client === undefined) throw new Error('there is nothing to send')
  return () => request(client)
}

/** Sends the request until it is done; returns the milliseconds that it took. */
const untilDone = async ({ tally }: World, send: Send): Promise<number> => {
  const begun = performance.now()
  for (;;) {
    const told = await send()
    const milliseconds = performance.now() - begun
    if (told === 'done') return milliseconds
    if (milliseconds > mostMilliseconds) {
      tally.violations.push('I4: a request cannot be done any more')
      return milliseconds
    }
    await setTimeout(50)
  }
}

const onWire = <A>(
  url: string,
  wire: Readonly<{ place: Place; delay?: number }>,
  work: (world: Wired) => Promise<A>,
): Promise<A> =>
  inWorld([url], { wire, mayBeAway: wire.place === 'database', busy: 1 }, (world) => {
    if (world.proxy === undefined) throw new Error('there is no proxy')
    return work({ ...world, proxy: world.proxy })
  })

/** Within a piece that begins at one byte and ends before another: before it, after its first byte, its middle, before its last. */
const within = (begin: number, end: number): readonly number[] => [
  ...new Set([begin, begin + 1, Math.floor((begin + end) / 2), end - 1]),
]

/** Points in the pieces that went one way when nothing failed; of very many, `most` that lie evenly. */
const pointsOf = (ends: readonly number[], most: number): readonly number[] => {
  const all = ends.flatMap((end, index) => within(ends[index - 1] ?? 0, end))
  const step = Math.max(1, all.length / most)
  return Array.from({ length: Math.min(all.length, most) }, (_, index) => all[Math.floor(index * step)] ?? 0)
}

/** Cuts before, in and after each piece that went either way when nothing failed. */
const cutPoints = (pieces: Pieces, most: number): readonly WireFault[] =>
  (['there', 'back'] as const).flatMap((way) =>
    pointsOf(pieces[way], most / 2).map((after) => ({ kind: 'cut' as const, way, after })),
  )

const bytesOf = ({ there, back }: Pieces): number => (there.at(-1) ?? 0) + (back.at(-1) ?? 0)

/** The bytes of one request in each direction; of several requests, as the server's own work may add bytes. */
const fewestPieces = async (world: Wired, kind: RequestKind): Promise<Pieces> => {
  const measured: Pieces[] = []
  for (let times = 0; times < 4; times += 1) {
    // Background jobs of a server that has just started run together.
    await setTimeout(times * 150)
    const send = await fresh(world, kind)
    world.proxy.set()
    await untilDone(world, send)
    measured.push(world.proxy.pieces())
  }
  return measured.reduce((fewest, pieces) => (bytesOf(pieces) < bytesOf(fewest) ? pieces : fewest))
}

/**
 * Cuts the connection at every point of the bytes that a request of one kind sends and gets, at most `most` points: each has to
 * be done, or refused as temporary, and then to be done. The database is empty before.
 */
export const cutRun = (url: string, place: Place, kind: RequestKind, most: number) =>
  onWire(url, { place }, async (world) => {
    const { proxy, load } = world
    // The first request opens connections and prepares statements, which later ones use.
    await untilDone(world, await fresh(world, kind))
    const pieces = await fewestPieces(world, kind)
    const points = cutPoints(pieces, most)
    let [happened, later, slowestRecoveryMilliseconds] = [0, 0, 0]
    for (const point of points) {
      await untilDone(world, await fresh(world, kind))
      const send = await fresh(world, kind)
      proxy.set(point)
      const told = await send()
      if (proxy.happened()) happened += 1
      proxy.set()
      if (told === 'later') later += 1
      if (told === 'later')
        slowestRecoveryMilliseconds = Math.max(slowestRecoveryMilliseconds, await untilDone(world, send))
    }
    await load.finish(0)
    const fault = `${place} cut off after k bytes`
    return {
      ...(await outcomeOf(world, { fault, injected: happened, slowestRecoveryMilliseconds })),
      figures: {
        /** Bytes and pieces of one request, both ways together. */
        bytes: bytesOf(pieces),
        pieces: pieces.there.length + pieces.back.length,
        /** Cuts that were planned, those that came before the response, and requests that were refused as temporary. */
        cuts: points.length,
        happened,
        later,
      },
    }
  })

/** The shares of a request's bytes that pass before the silence. */
const shares = [0, 0.3, 0.6] as const

const mostSilentMilliseconds = 30_000

/**
 * Makes the database silent, with every connection open, after a part of the bytes of a request in one direction: the client has
 * to be refused in time as temporary, and then the request is done once.
 */
export const silenceRun = (url: string, kind: RequestKind, way: Way): Promise<FaultOutcome> =>
  onWire(url, { place: 'database' }, async (world) => {
    const { proxy, tally, load } = world
    await untilDone(world, await fresh(world, kind))
    const measured = await fresh(world, kind)
    proxy.set()
    await untilDone(world, measured)
    const bytes = proxy.pieces()[way].at(-1) ?? 0
    let [injected, slowestRecoveryMilliseconds] = [0, 0]
    for (const share of shares) {
      // Connections that were closed are opened again before the next silence.
      await untilDone(world, await fresh(world, kind))
      const send = await fresh(world, kind)
      proxy.set({ kind: 'silence', way, after: Math.max(0, Math.floor(bytes * share) - 1) })
      const begun = performance.now()
      const told = await send()
      const happened = proxy.happened()
      proxy.heal()
      proxy.set()
      // Prepared statements send fewer bytes, so the last point may not be reached.
      if (told !== (happened ? 'later' : 'done'))
        tally.violations.push(`I8: told ${told} after ${share} of ${bytes} bytes ${way}`)
      if (happened) injected += 1
      if (told === 'later') await untilDone(world, send)
      const milliseconds = performance.now() - begun
      if (milliseconds > mostSilentMilliseconds)
        tally.violations.push(`I8: done after ${Math.round(milliseconds)} ms`)
      slowestRecoveryMilliseconds = Math.max(slowestRecoveryMilliseconds, milliseconds)
    }
    await load.finish(0)
    return outcomeOf(world, { fault: 'database silent', injected, slowestRecoveryMilliseconds })
  })

const delay = 25

/** Concurrent single requests of each kind. */
const crowd = 20

/** Delays the database for a crowd of requests: all have to be done, and none refused. */
export const latencyRun = (url: string): Promise<FaultOutcome> =>
  onWire(url, { place: 'database', delay }, async (world) => {
    const kinds: RequestKind[] = Array.from(
      { length: crowd },
      () => ['staging', 'processing'] as const,
    ).flat()
    kinds.push('bulk staging', 'bulk processing')
    const requests = await Promise.all(kinds.map((kind) => fresh(world, kind)))
    const told = await Promise.all(requests.map((send) => send()))
    const { requests: sent, acknowledged } = world.tally.counts
    if (told.includes('later') || acknowledged < sent)
      world.tally.violations.push(`I8: ${sent - acknowledged} requests were refused`)
    await world.load.finish(0)
    // No data is lost, so no recovery is needed.
    const figures = { injected: kinds.length, slowestRecoveryMilliseconds: 0 }
    return outcomeOf(world, { fault: 'database 25 ms away each way', ...figures })
  })
