/** Whether the cause is a system error with this code, such as `ENOENT`. */
export const isFileError = (cause: unknown, code: string): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === code

/** The protection of a private file, for messages. Windows knows no mode: a file has the rights of its folder there. */
export const privacyText = (platform = process.platform): string =>
  platform === 'win32' ? 'with the rights of its folder' : 'readable for you alone, mode 600'
