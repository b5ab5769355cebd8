import type { PathKey } from '../codec/path.js'

/** What a rule looks at: its key and those of what holds it; the payload is `undefined`. A finding makes it a path. */
export type KeyPath = Readonly<{ up: KeyPath | undefined; key: PathKey }>

/** The path of a field or list item. */
export const below = (up: KeyPath | undefined, key: PathKey): KeyPath => ({ up, key })

/** The keys from the payload to the value. */
export const keysOf = (path: KeyPath | undefined): readonly PathKey[] => {
  const keys: PathKey[] = []
  for (let at = path; at !== undefined; at = at.up) keys.push(at.key)
  return keys.reverse()
}
