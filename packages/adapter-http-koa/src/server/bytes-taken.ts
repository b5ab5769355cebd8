import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'

/** What Linux holds for each connection, by the ports of both ends: bytes that the client has not acknowledged. */
type Held = ReadonlyMap<string, number>

/** Columns: number, local address, remote address, state, bytes to be sent:received, all in hexadecimal. */
const line = /^ *\d+: [\dA-F]+:([\dA-F]{4}) [\dA-F]+:([\dA-F]{4}) [\dA-F]{2} ([\dA-F]{8}):/gm

const textOf = (table: string): string => {
  try {
    return readFileSync(table, 'latin1')
  } catch {
    // Another system, or one without IPv6.
    return ''
  }
}

const read = (): Held => {
  const held = new Map<string, number>()
  const text = `${textOf('/proc/self/net/tcp')}\n${textOf('/proc/self/net/tcp6')}`
  for (const [, local = '', remote = '', bytes = ''] of text.matchAll(line)) {
    const ports = `${parseInt(local, 16)} ${parseInt(remote, 16)}`
    held.set(ports, (held.get(ports) ?? 0) + parseInt(bytes, 16))
  }
  return held
}

/** The tables are long where there are many connections, and many may be looked at in the same moment. */
const keepMilliseconds = 1000

let latest: Readonly<{ held: Held; at: number }> | undefined

const heldNow = (): Held => {
  const now = performance.now()
  if (latest === undefined || now - latest.at > keepMilliseconds) latest = { held: read(), at: now }
  return latest.held
}

/**
 * How much of what was sent the client has taken: a number that grows while it reads. The system takes some MB of an
 * answer for itself, and says nothing until a third of them is gone, which takes a slow reader minutes; so it is asked for
 * what it holds. Where it does not say, what it holds counts as taken.
 */
export const bytesTaken = ({ bytesWritten, writableLength, localPort, remotePort }: Socket): number =>
  bytesWritten - writableLength - (heldNow().get(`${localPort} ${remotePort}`) ?? 0)
