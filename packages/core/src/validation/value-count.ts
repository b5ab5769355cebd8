import { isHolder } from '../values/compare.js'

/** The most values of an account: each text, number, boolean, null, list and object, wherever it stands. */
export const maxValues = 100_000

/**
 * Whether a JSON value contains more values than an account may have. Keys are counted before values are read: for an object of a
 * million keys, the keys take half the time.
 */
const hasTooManyValues = (payload: unknown): boolean => {
  if (!isHolder(payload)) return false
  const waiting: object[] = [payload]
  let values = 0
  for (let holder = waiting.pop(); holder !== undefined; holder = waiting.pop()) {
    values += Array.isArray(holder) ? holder.length : Object.keys(holder).length
    if (values > maxValues) return true
    const entries: readonly unknown[] = Array.isArray(holder) ? holder : Object.values(holder)
    for (const each of entries) if (isHolder(each)) waiting.push(each)
  }
  return false
}

/** A list or object, and the way to it. */
type Place = Readonly<{ holder: object; up?: Place; key?: string | number }>

/** The keys from the payload to the place. */
const keysTo = (place: Place): readonly (string | number)[] => {
  const keys: (string | number)[] = []
  for (let at: Place | undefined = place; at?.key !== undefined; at = at.up) keys.push(at.key)
  return keys.toReversed()
}

/** More values than the JSON text of a request can have. An object that contains itself has no end. */
const mostCounted = 5_000_000

/** The place with the most entries; of several, the first in document order. */
const largestIn = (payload: object): Place => {
  let largest: Readonly<{ place: Place; entries: number }> = { place: { holder: payload }, entries: -1 }
  const waiting: Place[] = [largest.place]
  let counted = 0
  for (let place = waiting.pop(); place !== undefined && counted < mostCounted; place = waiting.pop()) {
    const holder = place.holder as Readonly<Record<string | number, unknown>>
    const keys: readonly (string | number)[] = Array.isArray(holder)
      ? [...holder.keys()]
      : Object.keys(holder)
    counted += keys.length
    if (keys.length > largest.entries) largest = { place, entries: keys.length }
    for (const key of keys.toReversed()) {
      const each = holder[key]
      if (isHolder(each)) waiting.push({ holder: each, up: place, key })
    }
  }
  return largest.place
}

/**
 * The path of the longest list or object of a payload that has over `maxValues` values; undefined for any other payload. For
 * programs that embed the core: the values of a JSON text are counted before it is parsed.
 */
export const pathOfTooManyValues = (payload: unknown): readonly (string | number)[] | undefined =>
  isHolder(payload) && hasTooManyValues(payload) ? keysTo(largestIn(payload)) : undefined
