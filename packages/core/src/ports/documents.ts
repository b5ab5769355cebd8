import type { PortResult } from './port-failure.js'

/** The object storage that documents were uploaded to beforehand. It is only read, never written to. */
export interface Documents {
  /**
   * Those of the keys (`documentKey`) under which a document is stored now, or was found at most a minute ago. Keys are
   * compared exactly: case, Unicode form, spaces and escapes count. A folder, or the beginning of a key, is no
   * document, and where `isDocumentKey` is false there is none. Any number of keys, repeated ones too, in one call.
   * Either every answer or a failure, within half a minute or so: `unavailable` while the storage cannot be reached or
   * is too slow, `unexpected` where it refuses. After the first failure nothing more is asked. An adapter bounds how
   * many documents it asks for at once over all calls; the others wait, and the organisations that they are asked for
   * take turns.
   */
  existing(keys: readonly string[], organisation: string): PortResult<ReadonlySet<string>>

  /**
   * Whether the storage can be asked now: it answers, lets us in, and has the bucket or folder. Otherwise the failure
   * that `existing` would have. Asks anew each time, and does not wait for the turn of other calls.
   */
  ready(): PortResult<void>
}
