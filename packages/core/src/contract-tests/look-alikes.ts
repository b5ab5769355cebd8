import { compareCodePoints } from '../values/compare.js'

/**
 * Texts with the same beginning that an inexact comparison treats as equal: by case, accents, their composition or outer
 * spaces; in order of code point, which for the last two is not the order of UTF-16. The text must be in lower case.
 */
export const lookAlikes = (text: string): readonly string[] =>
  [
    text,
    text.toUpperCase(),
    `${text} `,
    ` ${text}`,
    `${text}e`,
    `${text}\u00e9`,
    `${text}e\u0301`,
    `${text}\uff5e`,
    `${text}\u{1f600}`,
  ].toSorted(compareCodePoints)
