import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isIP } from 'node:net'
import { VendorFailure } from '../guard/vendor-failure.js'
import { guardedLookup } from './guarded-lookup.js'
import { mayBeAsked } from './private-addresses.js'
import type { Resolve } from './shared-resolve.js'

export type ConnectionOptions = Readonly<{
  /** Whether the vendor may lie on the own machine or network. */
  allowPrivateAddress: boolean
  /** How names are looked up; the system's resolver when absent. */
  resolve?: Resolve
}>

/** Connections to one vendor, kept for the next call. */
export type VendorConnection = Readonly<{
  http: HttpAgent
  https: HttpsAgent
  /** Throws a `VendorFailure` for a host that is itself an address which may not be asked: sockets do not look it up. */
  admit(host: string): void
}>

/** Most connections at once; further calls wait for one of them, within their own time. */
const mostConnections = 64

export const vendorConnection = ({ allowPrivateAddress, resolve }: ConnectionOptions): VendorConnection => {
  const options = {
    keepAlive: true,
    maxSockets: mostConnections,
    lookup: guardedLookup(allowPrivateAddress, resolve),
  }
  return {
    http: new HttpAgent(options),
    // Also where NODE_TLS_REJECT_UNAUTHORIZED says otherwise for the whole process.
    https: new HttpsAgent({ ...options, rejectUnauthorized: true }),
    admit: (host) => {
      if (isIP(host) !== 0 && !mayBeAsked(host, allowPrivateAddress)) throw new VendorFailure('address')
    },
  }
}
