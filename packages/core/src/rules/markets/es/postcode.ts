import { isDigit, numberOfTwo } from './digit.js'

/** Whether a text is a Spanish postal code: five digits, of which the first two are a province, 01 to 52. */
export const isPostcode = (text: string): boolean => {
  if (text.length !== 5) return false
  for (let index = 0; index < 5; index++) if (!isDigit(text.charCodeAt(index))) return false
  const province = numberOfTwo(text, 0)
  return province >= 1 && province <= 52
}
