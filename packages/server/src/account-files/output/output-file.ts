import { randomBytes } from 'node:crypto'
import { lstat, open, rename, rm, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { FileFailure, reasonOf } from '../file-failure.js'
import { isFileError } from '../../files/is-file-error.js'

const notWritable = (path: string, reason: string): FileFailure =>
  new FileFailure('output_not_writable', `${path} cannot be written (${reason}).`)

/** Only a file may be replaced: a device, folder or link under that name is somebody else's. */
const refuseOthers = async (path: string): Promise<void> => {
  try {
    if (!(await lstat(path)).isFile()) throw notWritable(path, 'there is something else than a file')
  } catch (cause) {
    if (!isFileError(cause, 'ENOENT')) throw cause
  }
}

/**
 * A file that appears under its name only when it is complete: it is written beside it, under a name of its own.
 * All of it rejects with `output_not_writable`.
 */
export class OutputFile {
  readonly path: string
  private readonly part: string
  private readonly file: FileHandle

  private constructor(path: string, part: string, file: FileHandle) {
    this.path = path
    this.part = part
    this.file = file
  }

  static async open(path: string): Promise<OutputFile> {
    const part = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.part`)
    try {
      await refuseOthers(path)
      return new OutputFile(path, part, await open(part, 'wx', 0o600))
    } catch (cause) {
      throw cause instanceof FileFailure ? cause : notWritable(path, reasonOf(cause))
    }
  }

  async write(content: Uint8Array | string): Promise<void> {
    await this.tried(() => this.file.writeFile(content))
  }

  /** Waits until everything is on the disk. */
  async complete(): Promise<void> {
    await this.tried(async () => {
      await this.file.sync()
      await this.file.close()
    })
  }

  /** Gives a completed file its name; what had it before is replaced. */
  async publish(): Promise<void> {
    await this.tried(() => rename(this.part, this.path))
  }

  /** Leaves nothing behind. Does nothing to a file that was published. */
  async discard(): Promise<void> {
    await this.file.close()
    await rm(this.part, { force: true })
  }

  private async tried(action: () => Promise<void>): Promise<void> {
    try {
      await action()
    } catch (cause) {
      throw notWritable(this.path, reasonOf(cause))
    }
  }
}
