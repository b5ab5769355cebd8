import { type Slots, slots } from '@account-import/core/adapter-kit'
import { E, type Either } from '@account-import/core/fp'
import type { TransportRefusal } from '@account-import/http-contract'

/**
 * Bodies and lines of at least this size are long: they need a place before they arrive, and another thread reads and validates them,
 * where there is one.
 */
export const longBodyBytes = 131_072

/** Shorter bodies and lines need no place: parsed JSON takes up to 40 times the memory of its text. */
const shortBytes = 16_384

/** The organisation for which a request is made, and the key that makes it. */
export type Owner = Readonly<{ organisation: string; key: string }>

/** Time-out of a body that waits for a place. */
const patienceMilliseconds = 5000
const retryAfterSeconds = 2

/** Gives a place back. A second call does nothing. */
export type Release = () => void

/**
 * Places for the bodies and lines that a process holds at one time, which bound its memory: 8 for long ones, of them 4 for one
 * organisation and 2 for one key; and 32, 24 and 16 for those of 16 KiB and more. Organisations take turns, and so do their keys.
 */
export class BodyPlaces {
  private readonly long = slots(8, Number.POSITIVE_INFINITY, { owner: 4, part: 2 })
  private readonly medium = slots(32, Number.POSITIVE_INFINITY, { owner: 24, part: 16 })

  /** Whether so many bytes need a place. */
  isNeededFor(bytes: number): boolean {
    return bytes >= shortBytes
  }

  /** Waits for a place for so many bytes as long as the client stays connected; rejects with the reason of `gone`. */
  take({ organisation, key }: Owner, bytes: number, gone: AbortSignal): Promise<Release> {
    return new Promise((resolve, reject) => {
      // The work ends when the caller calls the function that it gets.
      const untilReleased = () => new Promise<void>((release) => resolve(release))
      this.placesFor(bytes).run(organisation, gone, untilReleased, key).catch(reject)
    })
  }

  /** Waits for a place for five seconds: then the key or its organisation has its share, or all places are taken. */
  async takeSoon(owner: Owner, bytes: number, gone: AbortSignal): Promise<Either<TransportRefusal, Release>> {
    const waiting = new AbortController()
    const leave = (): void => waiting.abort(gone.reason)
    const timer = setTimeout(leave, patienceMilliseconds)
    gone.addEventListener('abort', leave, { once: true })
    try {
      gone.throwIfAborted()
      return E.right(await this.take(owner, bytes, waiting.signal))
    } catch (cause) {
      if (gone.aborted) throw cause
      const hasShare = this.placesFor(bytes).hasShare(owner.organisation, owner.key)
      return E.left({ _tag: hasShare ? 'Throttled' : 'ServiceBusy', retryAfterSeconds })
    } finally {
      clearTimeout(timer)
      gone.removeEventListener('abort', leave)
    }
  }

  private placesFor(bytes: number): Slots {
    return bytes < longBodyBytes ? this.medium : this.long
  }
}
