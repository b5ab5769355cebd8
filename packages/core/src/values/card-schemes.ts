/**
 * The numbers that card schemes give to cards: the least and the greatest first four digits, and the lengths in digits.
 *
 * Source: the table of credit-card-type 10.1.2 (npm, read on 2026-11-28), with 13 digits for Visa, as in cards of before 2005. The
 * table has further ranges that are left out, as numbers of other kinds begin so: 1800, 2131, 2200 to 2204 and 81. No scheme is
 * known to issue 18 digits, which is the length of two Spanish phone numbers.
 */
export const cardSchemes: readonly (readonly [first: number, last: number, lengths: readonly number[]])[] = [
  [2221, 2720, [16]], // Mastercard
  [3000, 3059, [14, 16, 19]], // Diners Club
  [3095, 3095, [14, 16, 19]], // Diners Club
  [3400, 3499, [15]], // American Express
  [3528, 3589, [16, 17, 19]], // JCB
  [3600, 3699, [14, 16, 19]], // Diners Club
  [3700, 3799, [15]], // American Express
  [3800, 3999, [14, 16, 19]], // Diners Club
  [4000, 4999, [13, 16, 19]], // Visa
  [5000, 5099, [13, 14, 15, 16, 17, 19]], // Maestro
  [5100, 5599, [16]], // Mastercard
  [5600, 6999, [13, 14, 15, 16, 17, 19]], // Maestro, Discover, UnionPay
]
