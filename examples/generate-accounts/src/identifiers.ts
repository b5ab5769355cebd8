import { between, digits } from './random.js'

const letter = (remainder: number): string => 'TRWAGMYFPDXBNJZSQVHLCKE'.charAt(remainder)

/** A national number above all issued ones, with its letter. */
export const nationalNumber = (): string => {
  const number = `9${digits(7)}`
  return number + letter(Number(number) % 23)
}

/** The number of a foreign resident, with its letter. */
export const foreignerNumber = (): string => {
  const [prefix, number] = [between(0, 2), digits(7)]
  return `${'XYZ'.charAt(prefix)}${number}${letter(Number(`${prefix}${number}`) % 23)}`
}

/** The number of a company, with its control digit; cooperatives (F) are checked by a letter. */
export const companyNumber = (kind: 'A' | 'B' | 'F'): string => {
  const number = digits(7)
  const sum = number.split('').reduce((total, digit, at) => {
    const value = at % 2 === 1 ? Number(digit) : Number(digit) * 2
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  const control = (10 - (sum % 10)) % 10
  return `${kind}${number}${kind === 'F' ? 'JABCDEFGHI'.charAt(control) : control}`
}

/**
 * The CUPS of a distributor's supply point with its two check letters: different for different ordinals below 10^12, and spread out.
 * The factor has no divisor in common with 10, and its products stay below 2^53.
 */
export const cupsOf = (distributor: string, ordinal: number): string => {
  const spread = (((ordinal + 123_456_789) % 1e12) * 7919) % 1e12
  const number = distributor + String(spread).padStart(12, '0')
  const rest = Number(BigInt(number) % 529n)
  return `ES${number}${letter(Math.floor(rest / 23))}${letter(rest % 23)}`
}
