import type { PathKey } from '../codec/path.js'

/** What a rule looks at: its key and those of what holds it; the payload is `undefined`. A report makes it a path. */
export type Place = Readonly<{ up: Place | undefined; key: PathKey }>

/** The place of a field or list item. */
export const below = (up: Place | undefined, key: PathKey): Place => ({ up, key })

/** The keys from the payload to the place. */
export const keysOf = (place: Place | undefined): readonly PathKey[] => {
  const keys: PathKey[] = []
  for (let at = place; at !== undefined; at = at.up) keys.push(at.key)
  return keys.reverse()
}
