import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readlinkSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { endServer, guarded, runCommand } from './processes.js'
import { until } from './until.js'

/** A network that only those processes see which are plugged in: each of them is alone with its end of a cable. */
export type Network = Readonly<{
  address(place: number): string
  /** Plugs in a process that was started by `unshare --net`. Its cable ends with it. */
  plugIn(pid: number, place: number): Promise<void>
  /** Disconnects a place, or connects it again: packets are lost silently. */
  setConnected(place: number, connected: boolean): Promise<void>
  stop(): Promise<void>
}>

const ownNetwork = (pid: number | 'self'): string => readlinkSync(`/proc/${pid}/ns/net`)

const isApart = (pid: number): Promise<void> =>
  until(async () => ownNetwork(pid) !== ownNetwork('self'), `process ${pid} has a network of its own`)

const ip = (pid: number, ...args: readonly string[]): Promise<void> =>
  runCommand('nsenter', [`--target=${pid}`, '--net', 'ip', ...args])

/** Starts a network. It ends with this process at the latest. */
export const startNetwork = async (folder: string): Promise<Network> => {
  const child = spawn('unshare', ['--net', 'sleep', 'infinity'], { stdio: 'ignore' })
  const hub = child.pid ?? -1
  const running = guarded(child, folder)
  await isApart(hub)
  await ip(hub, 'link', 'add', 'bridge', 'type', 'bridge')
  await ip(hub, 'link', 'set', 'bridge', 'up')
  const address = (place: number): string => `10.77.0.${place}`
  /** The hub's end of the cable of each place: an earlier cable may disappear late. */
  const ends = new Map<number, string>()
  let plugged = 0
  return {
    address,
    async plugIn(pid, place) {
      await isApart(pid)
      const end = `place${place}-${(plugged += 1)}`
      ends.set(place, end)
      await ip(pid, 'link', 'set', 'lo', 'up')
      await ip(pid, 'link', 'add', 'cable', 'type', 'veth', 'peer', 'name', end, 'netns', String(hub))
      await ip(pid, 'address', 'add', `${address(place)}/24`, 'dev', 'cable')
      await ip(pid, 'link', 'set', 'cable', 'up')
      await ip(hub, 'link', 'set', end, 'master', 'bridge', 'up')
    },
    setConnected: (place, connected) =>
      ip(hub, 'link', 'set', ends.get(place) ?? '', connected ? 'up' : 'down'),
    stop: () => endServer(running, 'SIGKILL'),
  }
}

/** A port of the loopback address that leads to a socket file. */
type SocketDoor = Readonly<{ port: number; stop(): Promise<void> }>

/** Opens a way from a free port to a server that can be reached by its socket file alone. */
export const openSocketDoor = async (path: string): Promise<SocketDoor> => {
  const open = new Set<Socket>()
  const server = createServer((outside) => {
    const inside = connect(path)
    const both = [outside, inside]
    for (const socket of both) {
      open.add(socket)
      socket.setNoDelay(true)
      // A cut at one end appears at the other: each of them throws its own error.
      socket.on('error', () => undefined)
      socket.on('close', () => {
        open.delete(socket)
        for (const each of both) each.destroy()
      })
    }
    outside.pipe(inside).pipe(outside)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}
