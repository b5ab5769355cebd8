import type { Counter } from 'prom-client'

/** Shows the series from the beginning: of one that begins with its first event, that event is no increase. */
export const fromZero = <Label extends string>(
  counter: Counter<Label>,
  label: Label,
  values: readonly string[],
): Counter<Label> => {
  for (const value of values) counter.inc({ [label]: value } as Record<Label, string>, 0)
  return counter
}
