import type { TypeOf } from 'io-ts'
import type { Failed } from '../codec/failed.js'
import type { reading } from '../payloads/reading.js'
import { compareIntervals, type Interval } from './intervals.js'
import { below } from './key-path.js'
import { isRead, type Readable } from './readable.js'
import type { ListRule } from './rule.js'

type Reading = Readable<TypeOf<typeof reading>>

/** The intervals of each meter; empty ones, and readings whose days or meter cannot be read, are left out. */
const intervalsOfMeters = (
  readings: readonly (Reading | Failed)[],
): ReadonlyMap<string, readonly Interval[]> => {
  const meters = new Map<string, Interval[]>()
  for (let index = 0; index < readings.length; index++) {
    const item = readings[index]
    if (!isRead(item)) continue
    const { meter_serial_number: meter, interval_start: start, interval_end: end } = item
    if (!isRead(meter) || !isRead(start) || !isRead(end) || end <= start) continue
    const intervals = meters.get(meter)
    if (intervals === undefined) meters.set(meter, [{ start, end, index }])
    else intervals.push({ start, end, index })
  }
  return meters
}

/** Readings of one meter of a supply point do not overlap. */
export const readingIntervals: ListRule<Reading> = (readings, at, findings) => {
  if (!isRead(readings) || readings.length < 2) return
  for (const intervals of intervalsOfMeters(readings).values())
    compareIntervals(intervals, ({ start, index }, greatestEnd) => {
      if (start < greatestEnd) findings.add('reading_intervals_overlap', below(at, index), 'interval_start')
    })
}
