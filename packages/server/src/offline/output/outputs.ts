import type { Wants } from '../batch.js'
import type { OfflineJob } from '../offline-run.js'
import { errorsHead } from './error-rows.js'
import { OutputFile } from './output-file.js'

type Kind = keyof OfflineJob['outputs']

/** The files that a run writes; those that are not wanted take nothing. */
export class Outputs {
  private readonly files: ReadonlyMap<Kind, OutputFile>

  private constructor(files: ReadonlyMap<Kind, OutputFile>) {
    this.files = files
  }

  /** Rejects with `output_not_writable`, before anything is checked. */
  static async open(paths: OfflineJob['outputs']): Promise<Outputs> {
    const files = new Map<Kind, OutputFile>()
    const outputs = new Outputs(files)
    try {
      for (const kind of ['failures', 'errors', 'report'] as const) {
        const path = paths[kind]
        if (path !== undefined) files.set(kind, await OutputFile.open(path))
      }
      await files.get('errors')?.write(errorsHead())
      return outputs
    } catch (cause) {
      await outputs.discard()
      throw cause
    }
  }

  get wants(): Wants {
    return { failures: this.files.has('failures'), errors: this.files.has('errors') }
  }

  async addFailures(lines: Uint8Array): Promise<void> {
    await this.files.get('failures')?.write(lines)
  }

  async addErrors(rows: Uint8Array): Promise<void> {
    await this.files.get('errors')?.write(rows)
  }

  async writeReport(page: () => string): Promise<void> {
    await this.files.get('report')?.write(page())
  }

  /** Completes all of them, and only then gives them their names. The paths that were written. */
  async publish(): Promise<readonly string[]> {
    const files = [...this.files.values()]
    for (const file of files) await file.complete()
    for (const file of files) await file.publish()
    return files.map(({ path }) => path)
  }

  /** Removes what was not published. */
  async discard(): Promise<void> {
    for (const file of this.files.values()) await file.discard()
  }
}
