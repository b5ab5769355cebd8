import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { emissionFaults } from './compare-emitted.js'
import { published } from '../support/published.js'
import { requestsToCome } from './not-yet-emitted.js'

const toCome: readonly string[] = requestsToCome
const running = [...published.keys()].filter((code) => !toCome.includes(code))

/** What is found for workers that have seen these codes. */
const faultsOf = (t: ExecutionContext, ...workers: readonly (readonly string[])[]): readonly string[] => {
  const folder = mkdtempSync(join(tmpdir(), 'codes-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  workers.forEach((codes, worker) =>
    writeFileSync(join(folder, `${worker}-0.txt`), codes.map((code) => `${code}\n`).join('')),
  )
  return emissionFaults(folder)
}

test('codes that workers have seen count together, however often', (t) => {
  t.deepEqual(faultsOf(t, running.slice(0, 40), running.slice(30)), [])
})

test('a code that no test sees is a fault', (t) => {
  t.deepEqual(faultsOf(t, running.slice(1)), [`${running[0]} is emitted by no test`])
})

test('a code that the catalogue does not know is a fault', (t) => {
  t.deepEqual(faultsOf(t, running, ['made_up']), ['made_up is not in the catalogue'])
})

test('a code of a request to come is a fault when it is emitted', (t) => {
  for (const code of requestsToCome)
    t.deepEqual(faultsOf(t, running, [code]), [
      `${code} is emitted, and has to leave the list of those to come`,
    ])
  t.is(new Set(toCome).size, toCome.length)
})
