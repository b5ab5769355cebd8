const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** `Sun, 06 Nov 1994 08:49:37 GMT`, and the older `Sunday, 06-Nov-94 08:49:37 GMT`. */
const dayFirst =
  /^[a-z]+, +(?<day>\d\d?)[ -](?<month>[a-z]{3})[ -](?<year>\d{4}|\d\d) (?<time>\d\d:\d\d:\d\d) (?:GMT|UTC|[+-]0000)$/i

/** The form of C's `asctime`, in UTC: `Sun Nov  6 08:49:37 1994`. */
const monthFirst = /^[a-z]+ (?<month>[a-z]{3}) +(?<day>\d\d?) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/i

/** The year of two digits that is not more than 50 years ahead (RFC 9110, section 5.6.7). */
const wholeYear = (year: string, now: number): number => {
  if (year.length === 4) return Number(year)
  const present = new Date(now).getUTCFullYear()
  const found = present - (present % 100) + Number(year)
  return found > present + 50 ? found - 100 : found
}

/** Milliseconds since 1970 of a date of HTTP in any of its three forms; undefined for any other text. */
export const httpDate = (text: string, now: number): number | undefined => {
  const {
    day = '',
    month = '',
    year = '',
    time = '',
  } = (dayFirst.exec(text) ?? monthFirst.exec(text))?.groups ?? {}
  const at = months.indexOf(month.toLowerCase())
  if (at < 0) return undefined
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  return Date.UTC(wholeYear(year, now), at, Number(day), hours, minutes, seconds)
}

/**
 * The seconds of a `Retry-After` header, 0 or more: a number, or a date of HTTP. `now`: milliseconds since 1970, by the clock of
 * the sender where that is known. Undefined for no header, or another text.
 */
export const retryAfterSeconds = (header: string | null | undefined, now: number): number | undefined => {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}(?:\.\d+)?$/.test(text)) return Number(text)
  const date = httpDate(text, now)
  return date === undefined ? undefined : Math.max(0, Math.ceil((date - now) / 1000))
}
