import type { Findings } from '../findings.js'

/** What a quick reading of one payload goes by; `findings` are used up when something was found. */
export type Reading = Readonly<{ findings: Findings; hasClosedLists: boolean; hasInternalDomains: boolean }>

/** A reading that puts what codecs have to say into the findings. */
export const readingFor = (findings: Findings): Reading => {
  const { closedLists, internalEmailDomains } = findings.context.settings
  return {
    findings,
    hasClosedLists: hasKeys(closedLists),
    hasInternalDomains: internalEmailDomains.length > 0,
  }
}

const hasKeys = (object: object): boolean => {
  for (const _ in object) return true
  return false
}
