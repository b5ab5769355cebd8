import { E, type Either, slots } from '@account-import/core/adapter-kit'
import type { TransportRefusal } from '@account-import/http-contract'

/** Bodies and lines of at least this size need a place, and are read and validated in another thread, where there is one. */
export const longBodyBytes = 131_072

/** The organisation for which a request is made, and the key that makes it. */
export type Owner = Readonly<{ organisation: string; key: string }>

/** Time-out of a body that waits for a place. */
const patienceMilliseconds = 5000
const retryAfterSeconds = 2

/** Gives a place back. A second call does nothing. */
export type Release = () => void

/**
 * The long bodies and lines that a process holds at one time: 8, of them 4 of one organisation and 2 of one key. They bound the
 * memory of all requests. Organisations take turns, and so do their keys.
 */
export class LongBodyPlaces {
  private readonly places = slots(8, Number.POSITIVE_INFINITY, { owner: 4, part: 2 })

  /** Waits for a place as long as the client stays connected; rejects with the reason of `gone`. */
  take({ organisation, key }: Owner, gone: AbortSignal): Promise<Release> {
    return new Promise((resolve, reject) => {
      const untilReleased = () => new Promise<void>(resolve)
      this.places.run(organisation, gone, untilReleased, key).catch(reject)
    })
  }

  /** Waits for a place for five seconds: then the key or its organisation has its share, or all places are taken. */
  async takeSoon(owner: Owner, gone: AbortSignal): Promise<Either<TransportRefusal, Release>> {
    const waiting = new AbortController()
    const leave = (): void => waiting.abort(gone.reason)
    const timer = setTimeout(leave, patienceMilliseconds)
    gone.addEventListener('abort', leave, { once: true })
    try {
      gone.throwIfAborted()
      return E.right(await this.take(owner, waiting.signal))
    } catch (cause) {
      if (gone.aborted) throw cause
      const hasShare = this.places.hasShare(owner.organisation, owner.key)
      return E.left({ _tag: hasShare ? 'Throttled' : 'ServiceBusy', retryAfterSeconds })
    } finally {
      clearTimeout(timer)
      gone.removeEventListener('abort', leave)
    }
  }
}
