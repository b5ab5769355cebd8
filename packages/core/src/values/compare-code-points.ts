/**
 * Order by Unicode code point, which is also the order of the UTF-8 bytes and so the one that databases give
 * to binary collations. JavaScript's own order differs where characters beyond U+FFFF meet U+E000 to U+FFFF.
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

/** Surrogates stand for characters above U+FFFF, so they rank above all other units. */
const rank = (unit: number): number =>
  unit >= 0xd800 && unit <= 0xdfff ? unit + 0x2000 : unit >= 0xe000 ? unit - 0x800 : unit
