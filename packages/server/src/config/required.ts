import type { ConfigFault, Environment } from './variable.js'
import { variables } from './variables.js'

/** A blank variable counts as not set. */
export const isGiven = (environment: Environment, name: string): boolean =>
  (environment[name] ?? '').trim() !== ''

/** How many letters have to be added, left out or changed to make one of the other. */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, place) => place)
  for (const [index, letter] of Array.from(one).entries()) {
    const next = [index + 1]
    for (const [place, against] of Array.from(other).entries())
      next.push(
        Math.min(
          (row[place] ?? 0) + (letter === against ? 0 : 1),
          (row[place + 1] ?? 0) + 1,
          (next[place] ?? 0) + 1,
        ),
      )
    row = next
  }
  return row.at(-1) ?? 0
}

const mostMistakes = 2

const known: ReadonlySet<string> = new Set(Object.values(variables).map(({ name }) => name))

/** A variable of the environment that nothing reads, and that may be this one misspelt. */
const misspelt = (environment: Environment, name: string): string | undefined =>
  Object.keys(environment).find(
    (given) =>
      !known.has(given) &&
      Math.abs(given.length - name.length) <= mostMistakes &&
      distance(given.toUpperCase(), name) <= mostMistakes,
  )

/** The fault of a variable that is not set; `reason` follows `is required`. One that looks misspelt is named. */
export const required = (environment: Environment, variable: string, reason: string): ConfigFault => {
  const found = misspelt(environment, variable)
  return {
    variable,
    detail: `is required ${reason}${found === undefined ? '' : `. ${found} is set: is ${variable} meant?`}`,
  }
}
