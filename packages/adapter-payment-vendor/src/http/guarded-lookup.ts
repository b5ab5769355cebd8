import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { mayBeAsked } from './private-addresses.js'
import { sharedResolve, type Resolve } from './shared-resolve.js'

/** The code of the error for a name that has an address which may not be asked. */
export const addressRefused = 'ADDRESS_REFUSED'

const refusal = (): NodeJS.ErrnoException =>
  Object.assign(new Error('the payment vendor has an address that may not be asked'), {
    code: addressRefused,
  })

/**
 * A look-up for sockets that refuses a name when one of its addresses may not be asked. A connection goes to the
 * addresses that were checked here, as nothing looks the name up again.
 */
export const guardedLookup = (allowPrivate: boolean, resolve: Resolve = lookup): LookupFunction => {
  const resolved = sharedResolve(resolve)
  return (name, options, found) => {
    resolved(name, { ...options, all: true }, (error, addresses) => {
      const [first] = error === null ? addresses : []
      if (error !== null) found(error, '')
      else if (first === undefined || !addresses.every(({ address }) => mayBeAsked(address, allowPrivate)))
        found(refusal(), '')
      else if (options.all === true) found(null, addresses)
      else found(null, first.address, first.family)
    })
  }
}
