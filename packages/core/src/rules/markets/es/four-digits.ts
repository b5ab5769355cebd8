import { isDigit } from './digit.js'

/** Whether a text is a code of exactly four digits: those of distributors and of economic activities (CNAE) are. */
export const isFourDigits = (text: string): boolean =>
  text.length === 4 &&
  isDigit(text.charCodeAt(0)) &&
  isDigit(text.charCodeAt(1)) &&
  isDigit(text.charCodeAt(2)) &&
  isDigit(text.charCodeAt(3))
