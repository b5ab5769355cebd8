import type { RateUse } from '../ports/unit-of-work.js'
import { instantOf, millisecondsOf, type Instant } from '../values/instant.js'

const dayMilliseconds = 86_400_000

/** A claim, and its answer without the body. */
const bytesOfRow = 512

/** This process adds up a 64th of the limit before it reports it to the store, so that few requests wait for that. */
const part = 64

/** The count of one organisation for one day. */
type Day = {
  readonly beginsAt: number
  /** KiB of all servers at the latest report; undefined before the first. */
  counted: number | undefined
  /** Bytes that are not reported yet. */
  pending: number
}

const encoder = new TextEncoder()

/** Counts the bytes that are kept for organisations in each day (UTC), by all servers together. */
export type KeptBytes = Readonly<{
  /** The time from which an organisation that has kept `mostBytes` today may keep more; undefined if it may now. */
  fullUntil(organisation: string, at: Instant, mostBytes: number): Promise<Instant | undefined>
  claimed(organisation: string): void
  kept(organisation: string, body: string): void
}>

/** `use`: adds KiB to the count of all servers, and returns the sum; it may throw. */
export const keptBytes = (use: (added: RateUse) => Promise<number>): KeptBytes => {
  const days = new Map<string, Day>()
  const dayOf = (organisation: string, at: Instant): Day => {
    const beginsAt = Math.floor(millisecondsOf(at) / dayMilliseconds) * dayMilliseconds
    const known = days.get(organisation)
    // A clock that goes back begins no second day.
    if (known !== undefined && known.beginsAt >= beginsAt) return known
    const day: Day = { beginsAt, counted: undefined, pending: 0 }
    days.set(organisation, day)
    return day
  }
  const report = async (organisation: string, day: Day): Promise<void> => {
    const { beginsAt, pending, counted = 0 } = day
    const expiresAt = instantOf(beginsAt + dayMilliseconds)
    const amount = Math.max(1, Math.ceil(pending / 1024))
    Object.assign(day, { pending: 0, counted })
    try {
      const all = await use({
        subject: `kept:${organisation}`,
        beginsAt: instantOf(beginsAt),
        expiresAt,
        amount,
      })
      day.counted = Math.max(day.counted ?? 0, all)
    } catch (error) {
      day.pending += pending
      throw error
    }
  }
  const add = (organisation: string, bytes: number): void => {
    const day = days.get(organisation)
    if (day !== undefined) day.pending += bytes
  }
  return {
    fullUntil: async (organisation, at, mostBytes) => {
      const day = dayOf(organisation, at)
      const isFull = (): boolean => (day.counted ?? 0) * 1024 >= mostBytes
      if (!isFull() && (day.counted === undefined || day.pending * part >= mostBytes))
        await report(organisation, day)
      return isFull() ? instantOf(day.beginsAt + dayMilliseconds) : undefined
    },
    claimed: (organisation) => add(organisation, bytesOfRow),
    kept: (organisation, body) => add(organisation, encoder.encode(body).length),
  }
}

/** A count of this process alone. */
export const countedHere = (): ((added: RateUse) => Promise<number>) => {
  const used = new Map<string, { beginsAt: Instant; amount: number }>()
  return async ({ subject, beginsAt, amount }) => {
    const known = used.get(subject)
    const all = known?.beginsAt === beginsAt ? known.amount + amount : amount
    used.set(subject, { beginsAt, amount: all })
    return all
  }
}
