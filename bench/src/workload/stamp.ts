/** Stands in a template where the number of the account goes. */
export const placeholder = '########'

const zero = 0x30

/** Bytes that are made once and copied with another number, so that sending an account costs the client next to nothing. */
export type Stamp = Readonly<{ length: number; withNumber(index: number): Buffer }>

const placesIn = (bytes: Buffer): readonly number[] => {
  const places: number[] = []
  for (let at = bytes.indexOf(placeholder); at >= 0; at = bytes.indexOf(placeholder, at + 1)) places.push(at)
  return places
}

/** A stamp for the template, which has `placeholder` at least once. Indexes are 0 to 99 999 999. */
export const makeStamp = (template: string): Stamp => {
  const bytes = Buffer.from(template)
  const places = placesIn(bytes)
  const digits = Buffer.alloc(placeholder.length)
  return {
    length: bytes.length,
    withNumber: (index) => {
      for (let place = digits.length - 1, rest = index; place >= 0; place -= 1) {
        digits[place] = zero + (rest % 10)
        rest = Math.floor(rest / 10)
      }
      const copy = Buffer.from(bytes)
      for (const place of places) digits.copy(copy, place)
      return copy
    },
  }
}
