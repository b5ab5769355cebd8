import type { ClosedList } from '../settings/rule-settings.js'
import { FAILED, type Failed } from './failed.js'
import type { Findings } from './findings.js'
import type { Location } from './location.js'
import type { OpenList } from './open-lists.js'
import { Text } from './text.js'

/** Members of closed lists as sets; they live as long as the settings that they come from. */
const memberSets = new WeakMap<ClosedList, ReadonlySet<string>>()

const membersOf = (list: ClosedList): ReadonlySet<string> => {
  const known = memberSets.get(list)
  if (known !== undefined) return known
  const members = new Set(list.members)
  memberSets.set(list, members)
  return members
}

export class Code extends Text {
  override readonly _tag = 'Code'
  readonly listName: OpenList

  constructor(max: number, listName: OpenList) {
    super(`code(${max}) ${listName}`, max, false)
    this.listName = listName
  }

  override read(value: unknown, at: Location, findings: Findings): string | Failed {
    const read = super.read(value, at, findings)
    const closed = findings.context.settings.closedLists[this.listName]
    if (closed === undefined || read === FAILED || membersOf(closed).has(read)) return read
    findings.addPath(at.path(), 'not_in_supplier_list', closed.severity)
    return closed.severity === 'error' ? FAILED : read
  }
}

/**
 * code(n): a term from an open list. Codes: as term, then `not_in_supplier_list` when the
 * supplier's settings close the list, with the severity that they give.
 */
export const code = (max: number, listName: OpenList): Code => new Code(max, listName)
