import { below } from './key-path.js'
import { isRead, type ReadList } from './readable.js'
import type { ListRule, ObjectRule } from './rule.js'

/** One rule that is several. */
export const allOf =
  <A>(...rules: readonly ObjectRule<A>[]): ObjectRule<A> =>
  (subject, at, findings) => {
    for (const rule of rules) rule(subject, at, findings)
  }

/** Validates each item of a list that was read. */
export const each =
  <A>(...rules: readonly ObjectRule<A>[]): ListRule<A> =>
  (items, at, findings) => {
    if (!isRead(items) || findings.isPast(at)) return
    for (let index = 0; index < items.length; index++) {
      const item = items[index]
      if (!isRead(item)) continue
      const here = below(at, index)
      for (const rule of rules) rule(item, here, findings)
    }
  }

/** Validates a list that an object holds. */
export const within =
  <Name extends string, A>(
    field: Name,
    rule: ListRule<A>,
  ): ObjectRule<{ readonly [F in Name]?: ReadList<A> }> =>
  (object, at, findings) => {
    const items = object[field]
    if (isRead(items)) rule(items, below(at, field), findings)
  }
