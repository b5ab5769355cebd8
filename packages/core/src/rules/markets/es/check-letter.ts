/** The 23 check letters of Spanish identifiers, by the remainder of a division by 23. */
const alphabet = 'TRWAGMYFPDXBNJZSQVHLCKE'

/** The check letter of a remainder, 0 to 22. */
export const checkLetter = (remainder: number): string => alphabet.charAt(remainder)

/** The check letter of the digits of a personal number, at most 8 of them. */
export const checkLetterOf = (digits: string): string => checkLetter(Number(digits) % alphabet.length)
