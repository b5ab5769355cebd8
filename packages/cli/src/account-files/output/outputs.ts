import { randomBytes } from 'node:crypto'
import { lstat, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isFileError } from '../../private-file.js'
import { FileFailure, reasonOf, tableHeads, type Wants } from '@account-import/account-files'

/** Prints a text, and waits until the stream accepts more. */
export type Print = (text: string) => Promise<void>

const nothing = async (): Promise<void> => undefined

/** An output that is printed at once, so `discard` cannot remove it. */
const standardOutput = (print: Print) => {
  const decoder = new TextDecoder()
  return {
    write: (content: Uint8Array | string): Promise<void> =>
      // A chunk may end within a character.
      print(typeof content === 'string' ? content : decoder.decode(content, { stream: true })),
    complete: nothing,
    publish: nothing,
    discard: nothing,
  }
}

const notWritable = (path: string, reason: string): FileFailure =>
  new FileFailure('output_not_writable', `${path} cannot be written (${reason}).`)

/** Refuses to replace anything but a file: a device, folder or link has another purpose. */
const refuseOthers = async (path: string): Promise<void> => {
  try {
    if (!(await lstat(path)).isFile()) throw notWritable(path, 'it exists and is not a file')
  } catch (cause) {
    if (!isFileError(cause, 'ENOENT')) throw cause
  }
}

/**
 * A file that gets its name only when it is complete: it is written under a temporary name in the same folder.
 * All functions reject with `output_not_writable`.
 */
const outputFile = async (path: string) => {
  const part = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.part`)
  const tried = async <A>(action: () => Promise<A>): Promise<A> => {
    try {
      return await action()
    } catch (cause) {
      throw cause instanceof FileFailure ? cause : notWritable(path, reasonOf(cause))
    }
  }
  const file = await tried(async () => {
    await refuseOthers(path)
    return open(part, 'wx', 0o600)
  })
  return {
    path,
    write: (content: Uint8Array | string): Promise<void> => tried(() => file.writeFile(content)),
    /** Waits until everything is on the disk. */
    complete: (): Promise<void> =>
      tried(async () => {
        await file.sync()
        await file.close()
      }),
    /** Renames a complete file to its final name, and replaces an existing file. */
    publish: (): Promise<void> => tried(() => rename(part, path)),
    /** Removes the temporary file, if it was not published. */
    discard: async (): Promise<void> => {
      await file.close()
      await rm(part, { force: true })
    },
  }
}

const kinds = ['out', 'failures', 'errors', 'report', 'mapping', 'rejects'] as const
type Kind = (typeof kinds)[number]

/** The paths of the requested outputs. */
export type OutputPaths = Readonly<Partial<Record<Kind, string>>>

/** The outputs with data of customers; the report has none. */
const ownerOnly: ReadonlySet<Kind> = new Set(['out', 'failures', 'errors', 'mapping', 'rejects'])

/** A written file, and whether only its owner can read it. */
export type Written = Readonly<{ path: string; ownerOnly: boolean }>

/** The target of an output: a file, or the standard output without a path. */
type Output = ReturnType<typeof standardOutput> & Readonly<{ path?: string }>

/** The outputs of a run; content for outputs that were not requested is dropped. */
export class Outputs {
  private readonly files: ReadonlyMap<Kind, Output>

  private readonly withSources: boolean

  private constructor(files: ReadonlyMap<Kind, Output>, withSources: boolean) {
    this.files = files
    this.withSources = withSources
  }

  /** `-` is the standard output. Rejects with `output_not_writable`, before anything is checked. */
  static async open(paths: OutputPaths, print: Print, withSources = false): Promise<Outputs> {
    const files = new Map<Kind, Output>()
    const outputs = new Outputs(files, withSources)
    try {
      for (const kind of kinds) {
        const path = paths[kind]
        if (path !== undefined) files.set(kind, path === '-' ? standardOutput(print) : await outputFile(path))
      }
      const { failures, ...heads } = tableHeads(withSources)
      await outputs.add(outputs.wants.failures === 'table' ? { failures, ...heads } : heads)
      return outputs
    } catch (cause) {
      await outputs.discard()
      throw cause
    }
  }

  get wants(): Wants {
    const failures = this.files.get('failures')
    const asTable = failures?.path?.toLowerCase().endsWith('.csv') === true
    return {
      failures: failures && (asTable ? 'table' : 'lines'),
      errors: this.files.has('errors'),
      mapping: this.files.has('mapping'),
      sources: this.withSources,
    }
  }

  /** Appends content to the requested outputs. */
  async add(
    rows: Partial<Readonly<Record<Exclude<Kind, 'report'>, Uint8Array | string | undefined>>>,
  ): Promise<void> {
    for (const kind of ['out', 'failures', 'errors', 'mapping', 'rejects'] as const) {
      const content = rows[kind]
      if (content !== undefined) await this.files.get(kind)?.write(content)
    }
  }

  async writeReport(page: () => string): Promise<void> {
    await this.files.get('report')?.write(page())
  }

  /** Completes all files before it renames the first. Answers the written files. */
  async publish(): Promise<readonly Written[]> {
    const files = [...this.files.values()]
    for (const file of files) await file.complete()
    for (const file of files) await file.publish()
    return [...this.files].flatMap(([kind, { path }]) =>
      path === undefined ? [] : [{ path, ownerOnly: ownerOnly.has(kind) }],
    )
  }

  /** Removes the files that were not published. */
  async discard(): Promise<void> {
    for (const file of this.files.values()) await file.discard()
  }
}
