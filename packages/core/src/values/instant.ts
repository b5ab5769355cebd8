/**
 * A point in time in UTC, exactly `YYYY-MM-DDTHH:MM:SS.mmmZ`. Instants compare as text.
 * Instants of clients have no milliseconds: see `toWireDatetime`.
 */
export type Instant = string & { readonly Instant: unique symbol }

const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

export const isInstant = (text: string): text is Instant => form.test(text) && !Number.isNaN(Date.parse(text))

export const instantOf = (milliseconds: number): Instant => new Date(milliseconds).toISOString() as Instant

export const millisecondsOf = (instant: Instant): number => Date.parse(instant)

/** The instant `seconds` later; earlier if negative. */
export const plusSeconds = (instant: Instant, seconds: number): Instant =>
  instantOf(millisecondsOf(instant) + seconds * 1000)

/** `YYYY-MM-DDTHH:MM:SSZ`, the form of datetimes in the API; milliseconds are cut off. */
export const toWireDatetime = (instant: Instant): string => `${instant.slice(0, 19)}Z`

/** The instant of a datetime in the form of the API. */
export const fromWireDatetime = (datetime: string): Instant => `${datetime.slice(0, 19)}.000Z` as Instant

/** The instant without its milliseconds, as in the API. */
export const toTheSecond = (instant: Instant): Instant => fromWireDatetime(toWireDatetime(instant))

/** The earlier of two instants; `one` if the other is undefined. */
export const earlier = (one: Instant, other: Instant | undefined): Instant =>
  other !== undefined && other < one ? other : one

/** A calendar day, `YYYY-MM-DD`, 1900-01-01 to 9999-12-31. Days compare as text. */
export type LocalDate = string & { readonly LocalDate: unique symbol }

const lastDay = '9999-12-31' as LocalDate
const millisecondsOfDay = 24 * 60 * 60 * 1000

/** The day after; 9999-12-31 itself for 9999-12-31. */
export const nextDay = (day: LocalDate): LocalDate =>
  day >= lastDay
    ? lastDay
    : (instantOf(Date.parse(`${day}T00:00:00Z`) + millisecondsOfDay).slice(0, lastDay.length) as LocalDate)

/** The size of the cache: a service has one time zone; processes that embed several services may have a few. */
const KEPT = 50

const formatters = new Map<string, Intl.DateTimeFormat>()

const formatterOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = formatters.get(timeZone)
  if (known !== undefined) return known
  const formatter = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  if (formatters.size >= KEPT) formatters.clear()
  formatters.set(timeZone, formatter)
  return formatter
}

/** Whether the text is an IANA time zone of this platform. */
export const isTimeZone = (text: string): boolean => {
  try {
    formatterOf(text)
    return true
  } catch (cause) {
    if (cause instanceof RangeError) return false
    throw cause
  }
}

const dayAt = (now: Instant, timeZone: string): LocalDate => {
  const parts = formatterOf(timeZone).formatToParts(millisecondsOf(now))
  const part = (type: 'year' | 'month' | 'day'): string =>
    parts.find((each) => each.type === type)?.value ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}` as LocalDate
}

let latest: Readonly<{ minute: string; timeZone: string; day: LocalDate }> | undefined

/** Up to the minute, as `YYYY-MM-DDTHH:MM`. */
const minuteOf = (now: Instant): string => now.slice(0, 16)

/**
 * The date in a time zone (`isTimeZone`) at an instant. A day begins with a minute in every zone, so the date of the latest
 * minute is cached for all of it.
 */
export const today = (now: Instant, timeZone: string): LocalDate => {
  const minute = minuteOf(now)
  if (latest?.minute !== minute || latest.timeZone !== timeZone)
    latest = { minute, timeZone, day: dayAt(now, timeZone) }
  return latest.day
}
