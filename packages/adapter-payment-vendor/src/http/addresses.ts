import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'
import { VendorFailure } from '../vendor-failure.js'

/** Networks without addresses of the public internet: RFC 6890 and its successors. */
const notPublic4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]

/**
 * Link-local networks and the metadata services of clouds, which return a machine's secrets: never allowed, with any
 * configuration.
 */
const never4: readonly (readonly [network: string, prefix: number])[] = [
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
]

const listOf = (
  networks4: readonly (readonly [network: string, prefix: number])[],
  networks6: readonly (readonly [network: string, prefix: number])[],
): BlockList => {
  const list = new BlockList()
  for (const [network, prefix] of networks4) {
    list.addSubnet(network, prefix, 'ipv4')
    // The same addresses behind translators (RFC 6052, RFC 8215); `BlockList` finds mapped ones by itself.
    list.addSubnet(`64:ff9b::${network}`, 96 + prefix, 'ipv6')
    list.addSubnet(`64:ff9b:1::${network}`, 96 + prefix, 'ipv6')
  }
  for (const [network, prefix] of networks6) list.addSubnet(network, prefix, 'ipv6')
  return list
}

const notPublic = listOf(notPublic4, [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
])
const never = listOf(never4, [
  ['fe80::', 10],
  ['fd00:ec2::254', 128],
  ['fd20:ce::254', 128],
])
const global6 = listOf([], [['2000::', 3]])
const mapped = listOf([], [['::ffff:0:0', 96]])
const translated = listOf([], [['64:ff9b::', 96]])

const isGlobal6 = (address: string): boolean =>
  [global6, mapped, translated].some((list) => list.check(address, 'ipv6'))

/** Whether requests to the address are allowed; with `allowPrivate` also to the own machine or network. */
export const mayBeAsked = (address: string, allowPrivate: boolean): boolean => {
  if (isIP(address) === 0) return false
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  if (never.check(address, family)) return false
  if (allowPrivate) return true
  return !notPublic.check(address, family) && (family === 'ipv4' || isGlobal6(address))
}

/** Finds all addresses of a name, as `lookup` of `node:dns` does. */
export type Resolve = (
  name: string,
  options: LookupAllOptions,
  found: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * As `resolve`, but concurrent calls for a name share one look-up. The system's resolver cannot be stopped, and each look-up
 * takes one of the few threads of Node.js, which files need too. So a stalled resolver takes one thread for each vendor, for any
 * number of calls.
 */
const sharedResolve = (resolve: Resolve): Resolve => {
  const waiting = new Map<string, Parameters<Resolve>[2][]>()
  return (name, options, found) => {
    const key = JSON.stringify([name, options.family, options.hints])
    const others = waiting.get(key)
    if (others !== undefined) {
      others.push(found)
      return
    }
    const all = [found]
    waiting.set(key, all)
    resolve(name, options, (error, addresses) => {
      waiting.delete(key)
      for (const each of all) each(error, addresses)
    })
  }
}

/**
 * A look-up for sockets that refuses a name when one of its addresses is not allowed. A connection goes to the addresses that
 * were checked here, because nothing looks the name up again.
 */
export const guardedLookup = (allowPrivate: boolean, resolve: Resolve = lookup): LookupFunction => {
  const resolved = sharedResolve(resolve)
  return (name, options, found) => {
    resolved(name, { ...options, all: true }, (error, addresses) => {
      const [first] = error === null ? addresses : []
      if (error !== null) found(error, '')
      else if (first === undefined || !addresses.every(({ address }) => mayBeAsked(address, allowPrivate)))
        found(new VendorFailure('address'), '')
      else if (options.all === true) found(null, addresses)
      else found(null, first.address, first.family)
    })
  }
}
