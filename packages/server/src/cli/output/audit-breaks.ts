import type { ChainBreak } from '@account-import/core'
import { noneText } from './heads.js'

const organisationText = (organisation: string | undefined): string =>
  organisation === undefined || organisation === '' ? noneText : organisation

export const auditBreakJson = (found: ChainBreak): unknown => found

export const auditBreakText = (found: ChainBreak): string => {
  const begin = `${found.kind} ${organisationText(found.organisation)}`
  switch (found.kind) {
    case 'entries_missing':
      return `${begin} ${found.sequence} (${found.entries} from there on)`
    case 'entry_changed':
      return `${begin} ${found.sequence}`
    case 'key_missing':
      return `${begin} ${found.sequence} ${found.key} (the first entry of a key that AUDIT_KEY does not have)`
    case 'head_missing':
      return `${begin} ${found.sequence ?? noneText} ${found.hash}`
  }
}
