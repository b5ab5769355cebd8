/** Puts the keys of one kind of object into an order. */
type Order = (keys: readonly string[]) => readonly string[]

const reordered = (value: unknown, order: Order): unknown => {
  if (Array.isArray(value)) return value.map((item) => reordered(item, order))
  if (typeof value !== 'object' || value === null) return value
  const holder = value as Readonly<Record<string, unknown>>
  return Object.fromEntries(order(Object.keys(holder)).map((key) => [key, reordered(holder[key], order)]))
}

/** The same payloads with the keys of all their objects in another order. */
export const inOrder = (payloads: readonly unknown[], order: Order): readonly unknown[] =>
  payloads.map((payload) => reordered(payload, order))

export const sorted: Order = (keys) => keys.toSorted()

const places = new Map<string, number>()

/** The place of a key in an order that has nothing to do with its meaning, the same in each run. */
const rankOf = (key: string): number => {
  const known = places.get(key)
  if (known !== undefined) return known
  let hash = 2_166_136_261
  for (const character of key) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0
  places.set(key, hash)
  return hash
}

/** Each kind of object in an order of its own, always the same, as an exporter might write it. */
export const shuffled: Order = (keys) => keys.toSorted((left, right) => rankOf(left) - rankOf(right))
