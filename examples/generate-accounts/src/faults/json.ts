/** JSON that may be changed. */
export type Json = string | number | boolean | null | Json[] | JsonObject
type JsonObject = { [name: string]: Json }

/** A deep copy of a JSON value. */
export const copyOf = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const childOf = (holder: Json | undefined, key: string): Json | undefined => {
  if (Array.isArray(holder)) return holder[Number(key)]
  return isObject(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined
}

/** The value at a path (keys joined by dots), undefined where there is none. */
export const at = (root: Json, path: string): Json | undefined =>
  path.split('.').reduce<Json | undefined>(childOf, root)

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

const split = (path: string): readonly [holder: string, key: string] => {
  const dot = path.lastIndexOf('.')
  return [path.slice(0, Math.max(dot, 0)), path.slice(dot + 1)]
}

const holderOf = (root: Json, path: string): Json | undefined => (path === '' ? root : at(root, path))

/** Puts a value at a path whose parent exists. */
export const set = (root: Json, path: string, value: Json): void => {
  const [holderPath, key] = split(path)
  const holder = holderOf(root, holderPath)
  if (Array.isArray(holder)) holder[Number(key)] = value
  else if (isObject(holder)) holder[key] = value
}

/** Removes the field at a path. */
export const drop = (root: Json, path: string): void => {
  const [holderPath, key] = split(path)
  const holder = holderOf(root, holderPath)
  if (isObject(holder)) delete holder[key]
}

/** The existing paths of a pattern; `*` matches each index of a list. */
export const pathsOf = (root: Json, pattern: string): readonly string[] => {
  let paths = ['']
  for (const key of pattern.split('.'))
    paths = paths.flatMap((path) => {
      const prefix = path === '' ? '' : `${path}.`
      if (key === '*') return listAt(root, path).map((_, index) => `${prefix}${index}`)
      return at(root, `${prefix}${key}`) === undefined ? [] : [`${prefix}${key}`]
    })
  return paths
}
