import type { Random } from '../random/random.js'

/** The number in one of several usual spellings. */
const written = (random: Random, digits: string): string => {
  const style = random.below(4)
  if (style === 0) return digits
  if (style === 1) return `+34${digits}`
  const grouped = `${digits.slice(0, 3)} ${digits.slice(3, 6)} ${digits.slice(6)}`
  return style === 2 ? grouped : `+34 ${grouped}`
}

/** A mobile number in valid form; three zeros in its middle, as in numbers made up for documents. */
export const mobileNumber = (random: Random): string => {
  const start = random.chance(0.85) ? `6${random.digits(2)}` : `7${random.between(1, 4)}${random.digits(1)}`
  return written(random, `${start}000${random.digits(3)}`)
}

/** A landline of the province of the prefix, two or three digits. */
export const landlineNumber = (random: Random, prefix: string): string =>
  written(random, `${prefix.padEnd(3, '0')}000${random.digits(3)}`)
