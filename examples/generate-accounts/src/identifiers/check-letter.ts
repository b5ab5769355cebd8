/** The check letters of Spanish identifiers. */
const alphabet = 'TRWAGMYFPDXBNJZSQVHLCKE'

/** The letter of a number from 0 to 22. */
export const checkLetter = (remainder: number): string => alphabet.charAt(remainder)
