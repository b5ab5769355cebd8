import type { Failure } from '@account-import/client'
import { FileFailure } from '../account-files/file-failure.js'

/** The service refused to go on, or was out of reach for too long. */
export class ImportStopped extends FileFailure {
  readonly failure: Failure

  constructor(failure: Failure) {
    super('service', failure.problem.detail)
    this.failure = failure
  }
}
