import type { Wants } from '../batch.js'
import { errorsHead } from './error-rows.js'
import { mappingHead } from './mapping-rows.js'
import { OutputFile } from './output-file.js'
import { standardOutput, type Print } from './standard-output.js'

const kinds = ['failures', 'errors', 'report', 'mapping'] as const
type Kind = (typeof kinds)[number]

/** Paths of the files to write, each only if it is wanted. */
export type OutputPaths = Readonly<Partial<Record<Kind, string>>>

/** Those that hold data of customers; the report has none. */
export const ownerOnly: ReadonlySet<Kind> = new Set(['failures', 'errors', 'mapping'])

/** A file that was written. */
export type Written = Readonly<{ kind: Kind; path: string }>

/** Where one of the outputs goes: a file, or the standard output. */
type Output = Pick<OutputFile, 'write' | 'complete' | 'publish' | 'discard'> & Readonly<{ path?: string }>

/** The files that a run writes; those that are not wanted take nothing. */
export class Outputs {
  private readonly files: ReadonlyMap<Kind, Output>

  private constructor(files: ReadonlyMap<Kind, Output>) {
    this.files = files
  }

  /** `-` is the standard output. Rejects with `output_not_writable`, before anything is checked. */
  static async open(paths: OutputPaths, print: Print): Promise<Outputs> {
    const files = new Map<Kind, Output>()
    const outputs = new Outputs(files)
    try {
      for (const kind of kinds) {
        const path = paths[kind]
        if (path !== undefined)
          files.set(kind, path === '-' ? standardOutput(print) : await OutputFile.open(path))
      }
      await files.get('errors')?.write(errorsHead())
      await files.get('mapping')?.write(mappingHead())
      return outputs
    } catch (cause) {
      await outputs.discard()
      throw cause
    }
  }

  get wants(): Wants {
    const wants = (kind: Kind): boolean => this.files.has(kind)
    return { failures: wants('failures'), errors: wants('errors'), mapping: wants('mapping') }
  }

  async addFailures(lines: Uint8Array): Promise<void> {
    await this.files.get('failures')?.write(lines)
  }

  async addMapping(rows: string): Promise<void> {
    await this.files.get('mapping')?.write(rows)
  }

  async addErrors(rows: Uint8Array): Promise<void> {
    await this.files.get('errors')?.write(rows)
  }

  async writeReport(page: () => string): Promise<void> {
    await this.files.get('report')?.write(page())
  }

  /** Completes all of them, and only then gives them their names. The files that were written. */
  async publish(): Promise<readonly Written[]> {
    const files = [...this.files.values()]
    for (const file of files) await file.complete()
    for (const file of files) await file.publish()
    return [...this.files].flatMap(([kind, { path }]) => (path === undefined ? [] : [{ kind, path }]))
  }

  /** Removes what was not published. */
  async discard(): Promise<void> {
    for (const file of this.files.values()) await file.discard()
  }
}
