/** JSON that may be changed. Paths are keys joined by dots. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

/** A deep copy of a JSON value. */
export const copyOf = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json

/** The value at a path, undefined where there is none. */
export const at = (root: Json, path: string): Json | undefined =>
  path.split('.').reduce<Json | undefined>((holder, key) => {
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key)) return undefined
    return (holder as Readonly<Record<string, Json>>)[key]
  }, root)

/** The text at a path, empty where there is none. */
export const textAt = (root: Json, path: string): string => {
  const value = at(root, path)
  return typeof value === 'string' ? value : ''
}

/** The list at a path, empty where there is none. */
export const listAt = (root: Json, path: string): Json[] => {
  const value = at(root, path)
  return Array.isArray(value) ? value : []
}

/** Puts a value at a path whose parent exists, or removes the field that is there. Returns the path. */
export const set = (root: Json, path: string, value: Json | undefined): string => {
  const dot = path.lastIndexOf('.')
  const holder = (dot < 0 ? root : at(root, path.slice(0, dot))) as Record<string, Json>
  const key = path.slice(dot + 1)
  if (value === undefined) delete holder[key]
  else holder[key] = value
  return path
}

/** Adds an item to the list at a path. Returns the path of the item. */
export const push = (root: Json, path: string, item: Json): string =>
  `${path}.${listAt(root, path).push(item) - 1}`

/** The existing paths of a pattern: `*` matches each index of a list, `last` the last one. */
export const pathsOf = (root: Json, pattern: string): readonly string[] =>
  pattern.split('.').reduce<readonly string[]>(
    (paths, key) =>
      paths.flatMap((path) => {
        const indexes = [...listAt(root, path).keys()]
        const keys = key === '*' ? indexes : key === 'last' ? indexes.slice(-1) : [key]
        return keys
          .map((each) => (path === '' ? String(each) : `${path}.${each}`))
          .filter((each) => at(root, each) !== undefined)
      }),
    [''],
  )
