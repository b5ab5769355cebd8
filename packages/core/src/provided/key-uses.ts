import type { Instant } from '../values/instant.js'

/** When API keys were used last, until somebody writes it down: nothing is written while a request waits. */
export class KeyUses {
  #uses = new Map<string, Instant>()

  note(apiKeyId: string, at: Instant): void {
    this.#uses.set(apiKeyId, at)
  }

  /** What was noted since the last time, by the id of the key. */
  take(): ReadonlyMap<string, Instant> {
    const taken = this.#uses
    this.#uses = new Map()
    return taken
  }

  /** Gives back what could not be written down; a later use stands. */
  giveBack(uses: Iterable<readonly [apiKeyId: string, at: Instant]>): void {
    for (const [id, at] of uses) if (!this.#uses.has(id)) this.#uses.set(id, at)
  }
}
