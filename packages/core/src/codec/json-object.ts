// oxlint-disable-next-line typescript/unbound-method -- only ever used through call()
const isOwnEnumerable = Object.prototype.propertyIsEnumerable

/** What JSON calls an object, also one of another JavaScript realm; no array, date, map or the like. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> => {
  if (typeof value !== 'object' || value === null) return false
  return inheritsNothing(value) || Object.prototype.toString.call(value) === '[object Object]'
}

/**
 * The value as an object that has no fields but its own, as those that JSON is parsed to: itself, or a copy of one that
 * inherits some. Undefined for what JSON calls no object.
 */
export const asPlainObject = (value: unknown): Readonly<Record<string, unknown>> | undefined => {
  if (!isJsonObject(value)) return undefined
  return inheritsNothing(value) ? value : (Object.assign(Object.create(null), value) as typeof value)
}

const inheritsNothing = (object: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(object)
  return prototype === null || (prototype === Object.prototype && !haveAllObjectsFields())
}

/** Whether some code of the process has given a field to all objects, which `for … in` would then meet in each. */
const haveAllObjectsFields = (): boolean => {
  for (const _ in Object.prototype) return true
  return false
}

/** A field of the object itself, as JSON would show it; undefined where it has none, even if it inherits one. */
export const ownField = (object: Readonly<Record<string, unknown>>, name: string): unknown => {
  const value = object[name]
  return value !== undefined && isOwnEnumerable.call(object, name) ? value : undefined
}

/** Whether the name of an unknown field may be shown in `attr`: 1 to 64 harmless characters. */
export const isShownKey = (key: string): boolean => {
  if (key.length === 0 || key.length > 64) return false
  for (let index = 0; index < key.length; index++) if (!isShown(key.charCodeAt(index))) return false
  return true
}

const isShown = (unit: number): boolean =>
  (unit >= 0x61 && unit <= 0x7a) || // a to z
  (unit >= 0x41 && unit <= 0x5a) || // A to Z
  (unit >= 0x30 && unit <= 0x39) || // 0 to 9
  unit === 0x5f || // _
  unit === 0x2d // -
