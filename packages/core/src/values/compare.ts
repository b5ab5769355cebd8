/**
 * Order by Unicode code point, which is also the order of the UTF-8 bytes and so of binary collations of databases.
 * JavaScript's own order differs for characters beyond U+FFFF compared with U+E000 to U+FFFF.
 */
export const compareCodePoints = (left: string, right: string): number => {
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index)
    const b = right.charCodeAt(index)
    if (a !== b) return rank(a) - rank(b)
  }
  return left.length - right.length
}

/** Surrogates encode characters above U+FFFF, so they rank above all other units. */
const rank = (unit: number): number =>
  unit >= 0xd800 && unit <= 0xdfff ? unit + 0x2000 : unit >= 0xe000 ? unit - 0x800 : unit

/** Whether a JSON value is a list or an object. */
export const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null

type Values = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null

const isSame = (one: unknown, other: unknown): boolean => {
  if (!isObject(one) || !isObject(other)) return one === other
  const names = Object.keys(one)
  return (
    Array.isArray(one) === Array.isArray(other) &&
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  )
}

/**
 * Whether two JSON texts have the same values, regardless of white space, escapes and order of keys. Throws if one of two
 * different texts is no JSON.
 */
export const isSameJson = (one: string, other: string): boolean =>
  one === other || isSame(JSON.parse(one), JSON.parse(other))
