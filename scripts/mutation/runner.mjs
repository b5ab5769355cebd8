// Runs the in-memory tests for Stryker: they are loaded once, in the process with the mutants, so that a mutant costs
// milliseconds and not the start of a process. A mutant in code that runs while files are loaded needs a new process, which
// Stryker starts.
import { pathToFileURL } from 'node:url'
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import { determineHitLimitReached, TestStatus, toMutantRunResult } from '@stryker-mutator/api/test-runner'
import { inMemoryTests } from '../in-memory-tests.mjs'

/** A test that depends on AVA itself. */
const ofAvaOnly = /which nobody has to await/

/** Mutants of rules run only the tests of rules: all other tests stage accounts, and would run all rules many times. */
const testsOfRules = /^test\/src\/(rules|validation|transactions)\//

/** The variables that mutants read and write. */
const mutants = (globalThis.__stryker__ ??= {})

/** The root of the copy, which is the working folder. */
const load = (path) => import(pathToFileURL(path).href)

const wordsOf = (text) => new Set(text.toLowerCase().split(/[^a-z]+/))

/** The number of words of the source's path in the file and title of a test. Tests with more of them run sooner. */
const nearness = (source, { file, title }) => {
  const words = wordsOf(`${file} ${title}`)
  return [...wordsOf(source)].filter((word) => words.has(word)).length
}

class InMemoryRunner {
  tests = []

  capabilities() {
    return { reloadEnvironment: false }
  }

  async loadTests() {
    if (this.tests.length > 0) return
    const { beginSuite, runTest, suites } = await load('scripts/mutation/ava.mjs')
    this.runTest = runTest
    for (const file of inMemoryTests()) {
      beginSuite(file)
      await load(file.replace('/src/', '/dist/').replace(/\.ts$/, '.js'))
    }
    for (const { file, tests } of suites)
      for (const test of tests) if (!ofAvaOnly.test(test.title)) this.tests.push({ ...test, file })
  }

  async runOne(id) {
    const test = this.tests[Number(id)]
    const begun = performance.now()
    const failureMessage = await this.runTest(test).then(
      () => undefined,
      (cause) => String(cause?.stack ?? cause),
    )
    const timeSpentMs = Math.round(performance.now() - begun)
    const result = { id, name: `${test.file}: ${test.title}`, timeSpentMs }
    return failureMessage === undefined
      ? { ...result, status: TestStatus.Success }
      : { ...result, status: TestStatus.Failed, failureMessage }
  }

  get ids() {
    return this.tests.map((_, index) => String(index))
  }

  async dryRun() {
    await this.loadTests()
    const tests = []
    for (const id of this.ids) {
      mutants.currentTestId = id
      tests.push(await this.runOne(id))
      mutants.currentTestId = undefined
    }
    return { status: 'complete', tests, mutantCoverage: mutants.mutantCoverage }
  }

  /** The tests of a source, the nearest first, as the run ends at the first failure. */
  chosen(ids, source) {
    const ofSource = source.startsWith('rules/')
      ? ids.filter((id) => testsOfRules.test(this.tests[Number(id)].file))
      : ids
    const near = new Map(ofSource.map((id) => [id, nearness(source, this.tests[Number(id)])]))
    return ofSource.toSorted((a, b) => near.get(b) - near.get(a))
  }

  async mutantRun({ activeMutant, hitLimit, mutantActivation, sandboxFileName, testFilter, disableBail }) {
    Object.assign(mutants, { hitCount: hitLimit === undefined ? undefined : 0, hitLimit })
    if (mutantActivation === 'static') mutants.activeMutant = activeMutant.id
    try {
      await this.loadTests()
    } catch (cause) {
      return { status: 'killed', killedBy: [], failureMessage: String(cause), nrOfTests: 0 }
    }
    mutants.activeMutant = activeMutant.id
    const tests = []
    const source = sandboxFileName.split('/core/src/')[1]
    for (const id of this.chosen(testFilter ?? this.ids, source)) {
      const result = await this.runOne(id)
      tests.push(result)
      const tooOften = determineHitLimitReached(mutants.hitCount, mutants.hitLimit)
      if (tooOften !== undefined) return toMutantRunResult(tooOften)
      if (result.status === TestStatus.Failed && !disableBail) break
    }
    mutants.activeMutant = undefined
    return toMutantRunResult({ status: 'complete', tests })
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'in-memory', InMemoryRunner)]
