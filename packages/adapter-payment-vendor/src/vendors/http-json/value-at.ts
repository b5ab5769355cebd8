const pointerKeys = (pointer: string): readonly string[] =>
  pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The keys of a JSON Pointer (RFC 6901, begins with a slash) or of a dotted path such as `card.brand`. */
const keysOf = (path: string): readonly string[] =>
  path.startsWith('/') ? pointerKeys(path) : path.split('.')

/** The value at a path of a JSON value; in arrays, indexes count from 0. Undefined if there is none. */
const valueAt = (json: unknown, path: string): unknown => {
  let value = json
  for (const key of keysOf(path)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[key]
  }
  return value
}

/** The same as text, where it is a text, a number or a truth value. */
export const textAt = (json: unknown, path: string): string | undefined => {
  const value = valueAt(json, path)
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}
