/** Whether the cause is the system's error with this code, such as `ENOENT`. */
export const isFileError = (cause: unknown, code: string): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === code
