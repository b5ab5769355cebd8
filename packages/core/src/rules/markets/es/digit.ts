const ZERO = 0x30
const NINE = 0x39

/** Whether a UTF-16 unit is a digit of ASCII. */
export const isDigit = (unit: number): boolean => unit >= ZERO && unit <= NINE

/** The number that two digits of ASCII stand for. */
export const numberOfTwo = (text: string, at: number): number =>
  (text.charCodeAt(at) - ZERO) * 10 + (text.charCodeAt(at + 1) - ZERO)
