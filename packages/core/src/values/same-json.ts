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
 * Whether two JSON texts hold the same values, whatever their white space, escapes and order of keys. Throws where one of
 * two different texts is no JSON.
 */
export const isSameJson = (one: string, other: string): boolean =>
  one === other || isSame(JSON.parse(one), JSON.parse(other))
