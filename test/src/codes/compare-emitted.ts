import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { portugal } from '../support/portugal.js'
import { requestsToCome } from './not-yet-emitted.js'
import { published } from '../support/published.js'

const emittedIn = (folder: string): ReadonlySet<string> =>
  new Set(
    readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').trimEnd().split('\n')),
  )

/**
 * What is wrong between the catalogue and the codes that the tests have recorded in a folder: a code that no test
 * sees, one that the catalogue does not know, one that is emitted although it is said to come later.
 */
export const emissionFaults = (folder: string): readonly string[] => {
  const emitted = emittedIn(folder)
  const toCome: readonly string[] = requestsToCome
  const known = [...published.keys()]
  return [
    ...known
      .filter((code) => !emitted.has(code) && !toCome.includes(code))
      .map((code) => `${code} is emitted by no test`),
    ...known
      .filter((code) => emitted.has(code) && toCome.includes(code))
      .map((code) => `${code} is emitted, and has to leave the list of those to come`),
    ...[...emitted]
      .filter((code) => !published.has(code) && portugal.codes[code] === undefined)
      .map((code) => `${code} is not in the catalogue`),
  ]
}
