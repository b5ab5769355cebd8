import { randomUUID } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'

/** Whether the cause is a system error with this code, such as `ENOENT`. */
export const isFileError = (cause: unknown, code: string): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === code

/**
 * Writes a file that only its owner may read (mode 0600), and waits until it is on the disk. It takes the place of a file or a link
 * of that name, and nothing is written through a link.
 */
export const writePrivateFile = async (path: string, text: string): Promise<void> => {
  const draft = `${path}.${randomUUID()}.part`
  try {
    await writeFile(draft, text, { flag: 'wx', mode: 0o600, flush: true })
    await rename(draft, path)
  } catch (cause) {
    await rm(draft, { force: true })
    throw cause
  }
}

/** The protection of a private file, for messages. Windows knows no mode: a file has the rights of its folder there. */
export const privacyText = (platform = process.platform): string =>
  platform === 'win32' ? 'with the rights of its folder' : 'readable for you alone, mode 600'
