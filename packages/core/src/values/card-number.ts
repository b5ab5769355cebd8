const digitRuns = /\d(?:[ -]?\d){12,18}(?![ -]?\d)/g

/** The check digit of card numbers (Luhn): from the right, every second digit counts twice. */
const passesLuhn = (digits: string): boolean => {
  let sum = 0
  for (const [index, digit] of digits.split('').toReversed().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

/** Whether 13 to 19 digits with a card number's check digit stand somewhere in the text, alone or in groups. */
export const holdsCardNumber = (text: string): boolean =>
  [...text.normalize('NFKC').matchAll(digitRuns)].some(([run]) => passesLuhn(run.replaceAll(/[ -]/g, '')))
