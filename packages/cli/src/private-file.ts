import { open } from 'node:fs/promises'

/** Whether the cause is a system error with this code, such as `ENOENT`. */
export const isFileError = (cause: unknown, code: string): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === code

/** Writes a file that only its owner may read (mode 0600), and waits until it is on the disk. */
export const writePrivateFile = async (path: string, text: string): Promise<void> => {
  const file = await open(path, 'w', 0o600)
  try {
    // `open` sets the mode of new files only.
    await file.chmod(0o600)
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The protection of a private file, for messages. Windows knows no mode: a file has the rights of its folder there. */
export const privacyText = (platform = process.platform): string =>
  platform === 'win32' ? 'with the rights of its folder' : 'readable for you alone, mode 600'
