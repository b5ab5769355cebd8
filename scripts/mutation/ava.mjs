// Replaces AVA in mutation tests: it has the same calls, but only collects the tests, so that this process can run each of them
// several times, one at a time. It implements the calls that the in-memory tests use; any other call throws.
import assert from 'node:assert/strict'

/** The tests of each file, in order. */
export const suites = []

export const beginSuite = (file) => suites.push({ file, tests: [] })

const isObject = (value) => typeof value === 'object' && value !== null

/** Every field of the selector must match; other fields are ignored. */
const assertLike = (value, selector, message) => {
  if (!isObject(selector)) return assert.deepStrictEqual(value, selector, message)
  assert.ok(isObject(value), message ?? 'no object')
  for (const [name, inner] of Object.entries(selector)) assertLike(value[name], inner, message)
}

const assertThrown = (error, { any = false, instanceOf, message } = {}) => {
  assert.ok(any || error instanceof Error, 'what was thrown is no error')
  if (instanceOf !== undefined) assert.ok(error instanceof instanceOf)
  if (message instanceof RegExp) assert.match(error.message, message)
  else if (message !== undefined) assert.equal(error.message, message)
  return error
}

const throwsAsync = async (work, expected) => {
  try {
    await (typeof work === 'function' ? work() : work)
  } catch (error) {
    return assertThrown(error, expected)
  }
  return assert.fail('nothing was thrown')
}

const assertions = {
  deepEqual: assert.deepStrictEqual,
  fail: (message) => assert.fail(message),
  false: (value, message) => assert.strictEqual(value, false, message),
  is: (value, expected, message) =>
    assert.ok(Object.is(value, expected), message ?? `${String(value)} is not ${String(expected)}`),
  like: assertLike,
  log: () => undefined,
  notDeepEqual: assert.notDeepStrictEqual,
  not: (value, other, message) => assert.ok(!Object.is(value, other), message),
  notThrows: (work) => work(),
  notThrowsAsync: (work) => (typeof work === 'function' ? work() : work),
  notRegex: (text, pattern, message) => assert.doesNotMatch(text, pattern, message),
  pass: () => undefined,
  regex: (text, pattern, message) => assert.match(text, pattern, message),
  throwsAsync,
  true: (value, message) => assert.strictEqual(value, true, message),
  truthy: (value, message) => assert.ok(value, message),
}

/** The names of all that a test is given. */
export const givenNames = [...Object.keys(assertions), 'title', 'teardown']

/** Each test takes less than a tenth of this on an idle machine. */
const longestMilliseconds = 20_000

const withinLimit = (work) => {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('the test did not end')), longestMilliseconds)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Runs one test, and then its teardowns for any outcome, the latest first. */
export const runTest = async ({ title, run }) => {
  const teardowns = []
  try {
    await withinLimit(run({ ...assertions, title, teardown: (work) => teardowns.unshift(work) }))
  } finally {
    for (const work of teardowns) await work()
  }
}

const test = (title, run) => suites.at(-1).tests.push({ title, run })

export default Object.assign(test, { serial: test })
