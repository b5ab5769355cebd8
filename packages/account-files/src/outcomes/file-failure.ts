export type FileFailureKind =
  | 'input_unreadable'
  | 'input_read_once'
  | 'not_one_account_a_line'
  | 'output_not_writable'
  | 'worker_failed'
  | 'duckdb_missing'
  | 'mapping_refused'
  | 'rows_unused'
  | 'interrupted'
  | 'service'
  | 'access_refused'

/** The failure of a run over a file. The message contains the remedy, and no value of the payload. */
export class FileFailure extends Error {
  readonly kind: FileFailureKind

  constructor(kind: FileFailureKind, message: string) {
    super(message)
    this.name = 'FileFailure'
    this.kind = kind
  }
}

/** The failure of a run that its user stopped. */
export const interrupted = (): FileFailure =>
  new FileFailure('interrupted', 'Stopped before the end; no file was written.')

/** The system's error code, such as `ENOSPC`, or the kind of error. */
export const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return typeof cause
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name
}
