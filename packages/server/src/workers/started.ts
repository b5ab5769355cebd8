import type { StartFailureCode } from '../start-error.js'

/** What a worker says when it has started, or tried to: where it serves, or why it does not. */
export type Started =
  | Readonly<{ address: string }>
  | Readonly<{ failure: Readonly<{ code: StartFailureCode; message: string }> }>
