import type { LookupAddress, LookupAllOptions } from 'node:dns'

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
export const sharedResolve = (resolve: Resolve): Resolve => {
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
