import type { Failure } from '@account-import/client'
import { OfflineFailure } from '../offline/offline-failure.js'

/** The service refused to go on, or was out of reach for too long. */
export class ImportStopped extends OfflineFailure {
  readonly failure: Failure

  constructor(failure: Failure) {
    super('service', failure.problem.detail)
    this.failure = failure
  }
}
