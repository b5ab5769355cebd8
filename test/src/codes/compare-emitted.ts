import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { portugal } from '../support/portugal.js'
import { published } from '../support/published.js'

/**
 * The differences between the catalogue and the codes that the tests have recorded in a folder: a code that no test
 * sees, and one that the catalogue does not know.
 */
export const emissionFaults = (folder: string): readonly string[] => {
  const recorded = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  const emitted = new Set(recorded.join('').trimEnd().split('\n'))
  const unseen = [...published.keys()].filter((code) => !emitted.has(code))
  const unknown = [...emitted].filter((code) => !published.has(code) && portugal.codes[code] === undefined)
  return [
    ...unseen.map((code) => `${code} is emitted by no test`),
    ...unknown.map((code) => `${code} is not in the catalogue`),
  ]
}
