import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { mayBeAsked } from './private-addresses.js'

/** Finds all addresses of a name, as `lookup` of `node:dns` does. */
export type Resolve = (
  name: string,
  options: LookupAllOptions,
  found: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

type Found = Parameters<Resolve>[2]

/**
 * The same, but while a name is being looked up, further calls for it wait for that answer. The system's resolver can
 * neither be stopped nor hurried, and each look-up takes one of the few threads of Node.js, which files need too. So a
 * resolver that hangs takes one thread for each vendor, however many calls wait for it.
 */
const sharedResolve = (resolve: Resolve): Resolve => {
  const waiting = new Map<string, Found[]>()
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
