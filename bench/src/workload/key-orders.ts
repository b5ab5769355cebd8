/** Puts the keys of one kind of object into an order; keys that it leaves out are left out of the object. */
export type KeyOrder = (keys: readonly string[]) => readonly string[]

/** The same value with the keys of all its objects in another order. */
export const inOrder = (value: unknown, order: KeyOrder): unknown => {
  if (Array.isArray(value)) return value.map((item) => inOrder(item, order))
  if (typeof value !== 'object' || value === null) return value
  const holder = value as Readonly<Record<string, unknown>>
  return Object.fromEntries(order(Object.keys(holder)).map((key) => [key, inOrder(holder[key], order)]))
}

export const declared: KeyOrder = (keys) => keys

export const sorted: KeyOrder = (keys) => keys.toSorted()

/** A number of 32 bits that has nothing to do with what the text means, the same in each run. */
export const scatter = (text: string): number => {
  let hash = 2_166_136_261
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0
  return hash
}

/** Each kind of object in an order of its own, as an exporter might write it; another salt gives other orders. */
export const shuffled = (salt: string): KeyOrder => {
  const places = new Map<string, number>()
  const placeOf = (key: string): number => {
    const known = places.get(key) ?? scatter(salt + key)
    places.set(key, known)
    return known
  }
  return (keys) => keys.toSorted((left, right) => placeOf(left) - placeOf(right))
}
