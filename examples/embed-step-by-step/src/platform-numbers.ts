import { portOf, type PlatformAccountNumbers } from '@account-import/core'
import type { Sequence } from './platform-sequence.js'

/** Account numbers as everywhere in the platform: `A-` and eight digits or more. */
export const platformNumbers = (sequence: Pick<Sequence, 'next'>): PlatformAccountNumbers =>
  portOf('platformAccountNumbers', {
    next: async () => `A-${String(await sequence.next()).padStart(8, '0')}`,
  })
