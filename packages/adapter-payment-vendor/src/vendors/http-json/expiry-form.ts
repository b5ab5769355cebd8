const forms: readonly RegExp[] = [
  /^(?<year>\d{4})-(?<month>\d{2})(?:$|-|T)/,
  /^(?<month>\d{1,2})\/(?<year>\d{2}|\d{4})$/,
  /^(?<year>\d{4})\/(?<month>\d{2})$/,
]

/** `YYYY-MM` of a year of two or four digits and a month of one or two; undefined for anything else. */
export const yearMonth = (year: string, month: string): string | undefined =>
  /^(?:\d{2}|\d{4})$/.test(year) && /^(?:0?[1-9]|1[0-2])$/.test(month)
    ? `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}`
    : undefined

/** `YYYY-MM` of a month as vendors write it: `2031-01`, `2031-01-31`, `01/31`, `1/2031`, `2031/01`. */
export const expiryForm = (text: string): string | undefined => {
  for (const form of forms) {
    const { year, month } = form.exec(text)?.groups ?? {}
    if (year !== undefined && month !== undefined) return yearMonth(year, month)
  }
  return undefined
}
