import { type Slots, slots } from '@account-import/core/adapter-kit'
import { E, type Either } from '@account-import/core/fp'
import type { TransportRefusal } from '@account-import/http-contract'

/**
 * Bodies and lines of at least this size are long: they need a place before they arrive, and another thread reads and validates them,
 * where there is one.
 */
export const longBodyBytes = 131_072

/** From this size a single body needs a place before it is parsed; each line of a stream needs one, as a stream has many. */
export const middleBodyBytes = 16_384

/** The organisation for which a request is made, and the key that makes it. */
export type Owner = Readonly<{ organisation: string; key: string }>

/** Time-out of a body that waits for a place. */
const patienceMilliseconds = 5000
const retryAfterSeconds = 2

/** Gives a place back. A second call does nothing. */
export type Release = () => void

/** As many places, of them for one organisation, and for one key of it. */
const places = (all: number, owner: number, part: number): Slots =>
  slots(all, Number.POSITIVE_INFINITY, { owner, part })

/**
 * Places for the bodies and lines that a process holds at one time, which bound its memory: parsed JSON takes up to 40 times the
 * memory of its text, and the errors of a short line up to 150 times. Organisations take turns, and so do their keys.
 */
export class BodyPlaces {
  private readonly long = places(8, 4, 2)
  private readonly middle = places(32, 24, 16)
  private readonly short = places(1024, 768, 512)

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
    if (bytes >= longBodyBytes) return this.long
    return bytes >= middleBodyBytes ? this.middle : this.short
  }
}
