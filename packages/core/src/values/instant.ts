/**
 * A point in time in UTC, exactly `YYYY-MM-DDTHH:MM:SS.mmmZ`. Instants compare as text.
 * Instants of clients have no milliseconds: see `toWireDatetime`.
 */
export type Instant = string & { readonly Instant: unique symbol }

const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

export const isInstant = (text: string): text is Instant => form.test(text) && !Number.isNaN(Date.parse(text))

export const instantOf = (milliseconds: number): Instant => new Date(milliseconds).toISOString() as Instant

export const millisecondsOf = (instant: Instant): number => Date.parse(instant)

/** The instant that many seconds later. */
export const plusSeconds = (instant: Instant, seconds: number): Instant =>
  instantOf(millisecondsOf(instant) + seconds * 1000)

/** `YYYY-MM-DDTHH:MM:SSZ`, the form of datetimes in the API; milliseconds are cut off. */
export const toWireDatetime = (instant: Instant): string => `${instant.slice(0, 19)}Z`

/** The instant that a datetime in the form of the API names. */
export const fromWireDatetime = (datetime: string): Instant => `${datetime.slice(0, 19)}.000Z` as Instant

/** The instant without its milliseconds, as clients know it. */
export const toTheSecond = (instant: Instant): Instant => fromWireDatetime(toWireDatetime(instant))

/** The earlier of two instants, of which the other may be absent. */
export const earlier = (one: Instant, other: Instant | undefined): Instant =>
  other !== undefined && other < one ? other : one
