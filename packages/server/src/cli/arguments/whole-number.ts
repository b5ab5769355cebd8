import { InvalidArgumentError } from 'commander'

/** Reads a whole number from `min` to `max`. */
export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN
    if (!(number >= min && number <= max))
      throw new InvalidArgumentError(`Use a whole number from ${min} to ${max}.`)
    return number
  }
