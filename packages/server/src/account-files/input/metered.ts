import { createHash } from 'node:crypto'
import { unreadable, type Source } from './source.js'

/** The bytes of a source as they come, counted and hashed on their way. */
export class Metered {
  bytes = 0
  private readonly hash = createHash('sha256')
  private readonly source: Source

  constructor(source: Source) {
    this.source = source
  }

  /** A chunk may only be used until the next one is asked for. Rejects with `input_unreadable`. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of this.source.chunks()) {
        this.bytes += chunk.length
        this.hash.update(chunk)
        yield chunk
      }
    } catch (cause) {
      throw unreadable(this.source.name, cause)
    }
  }

  /** SHA-256 of all bytes in hexadecimal; only once, at the end. */
  sha256(): string {
    return this.hash.digest('hex')
  }
}
