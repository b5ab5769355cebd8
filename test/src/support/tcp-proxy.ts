import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net'

/** The direction of bytes: there, to the server behind the proxy, or back to the client. */
export type Way = 'there' | 'back'

/**
 * The fault after this number of bytes in one direction, over all connections.
 *
 * - `cut`: the connection of the next byte ends, and earlier bytes arrive; other connections, and new ones, continue
 * - `silence`: no more bytes pass in any direction, on any connection, and no connection ends
 */
export type WireFault = Readonly<{ kind: 'cut' | 'silence'; way: Way; after: number }>

export type Pieces = Readonly<Record<Way, readonly number[]>>

type Line = Readonly<{ caller: Socket; server: Socket }>

const otherEnd = { there: 'server', back: 'caller' } as const

/** A proxy between two programs on the loopback address. `delay`: milliseconds for each piece, in both directions. */
export const startTcpProxy = async (target: number, delay = 0) => {
  const lines = new Set<Line>()
  let fault: WireFault | undefined
  let hasHappened = false
  let isSilent = false
  let passed: Record<Way, number[]> = { there: [], back: [] }
  let connections = 0

  const close = (line: Line): void => {
    lines.delete(line)
    line.caller.destroy()
    line.server.destroy()
  }

  /** The bytes before the cut still have to arrive, so the receiving side ends in order; the sending side is closed. */
  const cut = (line: Line, way: Way, before: Buffer): void => {
    const to = line[otherEnd[way]]
    const from = way === 'there' ? line.caller : line.server
    lines.delete(line)
    from.destroy()
    to.removeAllListeners('data')
    to.end(before)
    to.resume()
  }

  const pass = (line: Line, way: Way, piece: Buffer): void => {
    if (isSilent || !lines.has(line)) return
    const before = passed[way].at(-1) ?? 0
    const limit = fault?.way === way ? fault.after - before : Infinity
    if (piece.length <= limit) {
      passed[way].push(before + piece.length)
      line[otherEnd[way]].write(piece)
      return
    }
    hasHappened = true
    isSilent = fault?.kind === 'silence'
    if (isSilent) line[otherEnd[way]].write(piece.subarray(0, limit))
    else cut(line, way, piece.subarray(0, limit))
    fault = undefined
  }

  const server = createServer({ noDelay: true }, (caller) => {
    const line: Line = {
      caller,
      server: createConnection({ port: target, host: '127.0.0.1', noDelay: true }),
    }
    lines.add(line)
    connections += 1
    for (const way of ['there', 'back'] as const) {
      const from = way === 'there' ? caller : line.server
      from.on('data', (piece: Buffer) => {
        if (delay === 0) pass(line, way, piece)
        else setTimeout(() => pass(line, way, piece), delay)
      })
      // A connection that ends or breaks on one side does so on the other, unless the fault is silence.
      from.on('error', () => undefined)
      from.on('close', () => {
        if (isSilent || !lines.has(line)) return
        lines.delete(line)
        line[otherEnd[way]].end()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    port: (server.address() as AddressInfo).port,
    /** Counts bytes from 0, and applies the fault once; without one all bytes pass. */
    set: (next?: WireFault): void => {
      fault = next
      hasHappened = false
      passed = { there: [], back: [] }
    },
    /** Ends a silence: open connections are closed, new ones pass. */
    heal: (): void => {
      isSilent = false
      for (const line of lines) close(line)
    },
    /** How many were made through it, ended ones among them. */
    connections: () => connections,
    /** Whether the fault that was set last has happened. */
    happened: () => hasHappened,
    /** For each way, how many bytes had passed after each piece since the last `set`. */
    pieces: (): Pieces => passed,
    stop: (): Promise<void> =>
      new Promise((resolve) => {
        for (const line of lines) close(line)
        server.close(() => resolve())
      }),
  }
}

export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>
