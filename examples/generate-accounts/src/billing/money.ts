/** Cents as euros; the shortest text of the number has at most two decimals. */
export const euros = (cents: number): number => cents / 100

/** Millionths of a euro as a price. */
export const price = (millionths: number): number => millionths / 1_000_000

/** Hundredths of a unit, at a price in millionths of a euro, as whole cents. */
export const costInCents = (hundredths: number, millionths: number): number =>
  Math.round((hundredths * millionths) / 1_000_000)
