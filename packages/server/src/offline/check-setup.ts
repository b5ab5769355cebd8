import type { CheckContext } from '@account-import/core/adapter-kit'
import type { Wants } from '../account-files/batch.js'

/** What a worker is started with. */
export type CheckSetup = Readonly<{ context: CheckContext; wants: Wants }>
