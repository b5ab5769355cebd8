import type { Instant } from '@account-import/core'

/** As a DATETIME(3) column takes it: `2026-11-21 02:15:13.123`, in UTC. These compare as the instants do. */
export const toSqlInstant = (instant: Instant): string =>
  `${instant.slice(0, 10)} ${instant.slice(11, 19)}${instant.slice(19, 23)}`

/** From a DATETIME(3) column; the driver leaves out milliseconds that are zero. */
export const fromSqlInstant = (text: string): Instant =>
  `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, 23).padEnd(3, '0')}Z` as Instant

/** From a column that may be empty. */
export const fromOptionalSqlInstant = (text: string | null): Instant | undefined =>
  text === null ? undefined : fromSqlInstant(text)
