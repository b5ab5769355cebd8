import type { Random } from '../random/random.js'
import { checkLetter } from './check-letter.js'

/** A national number above all issued ones, with its letter. */
export const nationalNumber = (random: Random): string => {
  const digits = `9${random.digits(7)}`
  return digits + checkLetter(Number(digits) % 23)
}

/** The number of a foreign resident, with its letter. */
export const foreignerNumber = (random: Random): string => {
  const prefix = random.below(3)
  const digits = random.digits(7)
  return `${'XYZ'.charAt(prefix)}${digits}${checkLetter(Number(`${prefix}${digits}`) % 23)}`
}

const controlOf = (digits: string): number => {
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits.charAt(at))
    const doubled = digit * 2
    sum += at % 2 === 1 ? digit : doubled > 9 ? doubled - 9 : doubled
  }
  return (10 - (sum % 10)) % 10
}

/** The number of a company, with its control digit; cooperatives are checked by a letter. */
export const companyNumber = (random: Random, kind: 'A' | 'B' | 'F'): string => {
  const digits = random.digits(7)
  const control = controlOf(digits)
  return `${kind}${digits}${kind === 'F' ? 'JABCDEFGHI'.charAt(control) : control}`
}
