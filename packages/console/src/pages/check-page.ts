import type { UsableNames } from '@account-import/core'
import type { Frame } from '../layout.js'
import { filePage } from './file-page.js'

/** The page that checks a file in the browser, by the settings of the suppliers. */
export const checkPage = (frame: Frame, names: UsableNames): string =>
  filePage(frame, names, {
    title: 'Check a file here',
    folder: 'check/',
    script: 'check.js',
    lead: 'Your browser checks the accounts by the rules and settings of this service. Nothing is sent.',
  })
