import { E, type Either } from '@account-import/core/fp'
import type { TransportRefusal } from '@account-import/http-contract'

/**
 * Bodies and lines of at least this size are long: room for them is taken before they arrive, or before they get longer than this
 * where their length is not known.
 */
export const longBodyBytes = 131_072

/** From this size a single body takes room; each line of a stream takes some, as a stream has many. */
export const countedBodyBytes = 16_384

/** The organisation for which a request is made, and the key that makes it. */
export type Owner = Readonly<{ organisation: string; key: string }>

/** Bytes of bodies and lines in a process. Parsed JSON takes up to 40 times the memory of its text. */
const poolBytes = 6_291_456

const shares = { organisation: poolBytes / 2, key: poolBytes / 4 }

/**
 * The bytes that a body or line counts: as many as it has, but the errors of a short line take as much memory as a parsed text of 4 KiB,
 * and the values of an account, which are limited, no more than one of 768 KiB.
 */
const counted = { least: 4096, most: 786_432 }

/** Time-out of a single body that waits for room. */
const patienceMilliseconds = 5000
const retryAfterSeconds = 2

/** Gives the room back. A second call does nothing. */
export type Release = () => void

type Waiting = Readonly<{ owner: Owner; bytes: number; enter: () => void }>

/** Bytes that are taken, by name. Holds no name without any. */
class Taken {
  private readonly byName = new Map<string, number>()

  of(name: string): number {
    return this.byName.get(name) ?? 0
  }

  add(name: string, bytes: number): void {
    const sum = this.of(name) + bytes
    if (sum > 0) this.byName.set(name, sum)
    else this.byName.delete(name)
  }
}

/**
 * The bytes of bodies and lines that a process holds at one time, which bound its memory. Who asks first is first: none overtakes one
 * that waits for room, so that a long body is not kept waiting by short ones. Organisations and keys have shares: who has used it
 * waits, and only its own requests wait behind it.
 */
export class BodyPool {
  private free = poolBytes
  private readonly ofOrganisations = new Taken()
  private readonly ofKeys = new Taken()
  private readonly waiting = new Set<Waiting>()

  /** Waits for room for so many bytes, as long as the signal is not aborted; rejects with its reason. */
  take(owner: Owner, length: number, gone: AbortSignal): Promise<Release> {
    const bytes = Math.min(counted.most, Math.max(counted.least, length))
    return new Promise((resolve, reject) => {
      gone.throwIfAborted()
      const leave = (): void => {
        this.waiting.delete(waiting)
        reject(gone.reason as Error)
        this.admit()
      }
      const enter = (): void => {
        gone.removeEventListener('abort', leave)
        resolve(this.taken(owner, bytes))
      }
      const waiting = { owner, bytes, enter }
      this.waiting.add(waiting)
      gone.addEventListener('abort', leave, { once: true })
      this.admit()
    })
  }

  /** Waits for room for five seconds: then the key or its organisation has used its share, or there is no room. */
  async takeSoon(
    owner: Owner,
    length: number,
    gone: AbortSignal,
  ): Promise<Either<TransportRefusal, Release>> {
    const patience = AbortSignal.timeout(patienceMilliseconds)
    try {
      return E.right(await this.take(owner, length, AbortSignal.any([gone, patience])))
    } catch (cause) {
      if (gone.aborted) throw cause
      const hasShare = this.usedUpBy(owner, Math.min(counted.most, length)) === undefined
      return E.left({ _tag: hasShare ? 'ServiceBusy' : 'Throttled', retryAfterSeconds })
    }
  }

  /** Takes the bytes, and returns the function that gives them back. */
  private taken({ organisation, key }: Owner, bytes: number): Release {
    const add = (more: number): void => {
      this.free -= more
      this.ofOrganisations.add(organisation, more)
      this.ofKeys.add(key, more)
    }
    add(bytes)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      add(-bytes)
      this.admit()
    }
  }

  /** Whose share has no room for the bytes. */
  private usedUpBy({ organisation, key }: Owner, bytes: number): keyof Owner | undefined {
    if (this.ofOrganisations.of(organisation) + bytes > shares.organisation) return 'organisation'
    return this.ofKeys.of(key) + bytes > shares.key ? 'key' : undefined
  }

  /** Admits those that wait, in their order, up to the first for which there is no room. */
  private admit(): void {
    const behind = { organisation: new Set<string>(), key: new Set<string>() }
    for (const waiting of this.waiting) {
      const { owner, bytes, enter } = waiting
      if (behind.organisation.has(owner.organisation) || behind.key.has(owner.key)) continue
      const usedUp = this.usedUpBy(owner, bytes)
      if (usedUp !== undefined) {
        behind[usedUp].add(owner[usedUp])
        continue
      }
      if (bytes > this.free) return
      this.waiting.delete(waiting)
      enter()
    }
  }
}
