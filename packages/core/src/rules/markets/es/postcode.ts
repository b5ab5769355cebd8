/** Whether a text is a Spanish postal code: five digits, of which the first two are a province, 01 to 52. */
export const isPostcode = (text: string): boolean => {
  if (!/^\d{5}$/.test(text)) return false
  const province = Number(text.slice(0, 2))
  return province >= 1 && province <= 52
}
