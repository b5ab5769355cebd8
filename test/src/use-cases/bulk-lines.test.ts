import test from 'ava'
import {
  type BulkLine,
  type BulkResult,
  portFailure,
  type PortFailure,
  type Ports,
  type StageOutcome,
  type Staging,
} from '@account-import/core'
import { E, makeUseCases } from '@account-import/core/fp'
import { failing } from '@account-import/core/in-memory'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { countedSecrets } from './support/counted-secrets.js'
import { changed, keyOf, organisation, right, service } from './support/service.js'

const account = (number: string, fields: object = {}) => ({
  import_supplier: 'LEVANTE',
  external_account_number: number,
  unknown_occupier: true,
  ...fields,
})

const lineOf = (number: string, line: number, bytes = 2): BulkLine => ({
  line,
  bytes,
  json: async () => E.right({ payload: account(number) }),
})

const manyLines = (count: number, bytes?: number): readonly BulkLine[] =>
  Array.from({ length: count }, (_, index) => lineOf(`N-${index}`, index + 1, bytes))

/** The lines one by one, as a client sends them; `asked` has the number of lines that were read, and whether to the end. */
const sending = (lines: readonly BulkLine[], cause?: Error) => {
  const asked = { count: 0, isOver: false }
  async function* send(): AsyncGenerator<BulkLine> {
    try {
      for (const line of lines) {
        asked.count += 1
        yield line
      }
      if (cause !== undefined) throw cause
    } finally {
      asked.isOver = true
    }
  }
  return { asked, lines: send() }
}

const staging = async (yours: (ports: Ports) => Partial<Ports>, lines: AsyncIterable<BulkLine>) => {
  // With hashes from this thread: another thread needs more than turns.
  const { ports } = await service({ secrets: countedSecrets() })
  const useCases = makeUseCases({ ...ports, ...yours(ports) })
  return { ports, pages: await right(useCases.bulkStage({ organisation, lines })) }
}

const tagOf = ({ outcome }: BulkResult<Readonly<{ _tag: string }>, unknown>): string =>
  E.isLeft(outcome) ? outcome.left._tag : 'done'

/** All results, and the error that ended the stream, if any. */
const readAll = async <Result>(pages: AsyncIterable<readonly Result[]>) => {
  const results: Result[] = []
  try {
    for await (const page of pages) results.push(...page)
  } catch (cause) {
    return { results, cause }
  }
  return { results, cause: undefined }
}

/** Resolves after every promise that needs nothing from outside. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 300; turn += 1) await nextTurn()
}

/** Ports whose store delays the staging of some account numbers until the test releases it. */
const gatedStaging = (isHeld: (number: string) => boolean) => {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  /** The numbers of each call, in the order of the calls of the store. */
  const begun: (readonly string[])[] = []
  const on = (ports: Ports): Ports =>
    changed(ports, 'accountImports', {
      stage: async (stagings) => {
        const numbers = stagings.map(({ key }) => key.externalAccountNumber)
        begun.push(numbers)
        if (numbers.some(isHeld)) await opened
        return ports.accountImports.stage(stagings)
      },
    })
  return { on, begun, open: () => open() }
}

test('each line has a result with its number, and an unreadable one has the reason', async (t) => {
  const sent = [
    lineOf('A', 1),
    { line: 3, bytes: 9, json: async () => E.left({ _tag: 'NotJson' } as const) },
    { line: 4, bytes: 2, json: async () => E.right({ payload: account('B', { account_type: 'NONE' }) }) },
    lineOf('C', 5),
  ]
  const { pages } = await staging(() => ({}), sending(sent).lines)
  const { results } = await readAll(pages)
  t.deepEqual(
    results.map((result) => [result.line, result.externalAccountNumber, tagOf(result)]),
    [
      [1, 'A', 'done'],
      [3, undefined, 'NotJson'],
      [4, 'B', 'AccountFailedValidation'],
      [5, 'C', 'done'],
    ],
  )
})

test('validating lines returns the warnings of each and stores nothing', async (t) => {
  const { ports, useCases } = await service()
  const valid = { staging: 'created', sameData: undefined, warnings: [] } as const
  let ended = 0
  const { lines } = sending([{ ...lineOf('A', 1), done: () => (ended += 1) }, lineOf('B', 2)])
  const { results } = await readAll(await right(useCases.bulkValidate({ organisation, lines })))
  t.is(ended, 1)
  t.deepEqual(
    results.map(({ outcome }) => (E.isRight(outcome) ? Object.keys(outcome.right) : outcome)),
    [Object.keys(valid), Object.keys(valid)],
  )
  t.is(await right(ports.accountImports.find(keyOf('A'))), undefined)
})

test('results are in the order of the lines, though the first takes longest', async (t) => {
  const first = gatedStaging((number) => number === 'N-0')
  const { asked, lines } = sending(manyLines(5))
  const { pages } = await staging(first.on, lines)
  const reading = readAll(pages)
  await settled()
  t.deepEqual(first.begun, [['N-0']])
  t.is(asked.count, 5)
  first.open()
  const lineNumbers = (await reading).results.map(({ line }) => line)
  t.deepEqual(lineNumbers, [1, 2, 3, 4, 5])
})

test('lines that arrive during a staging are staged by one call, at most 64', async (t) => {
  const slow = gatedStaging((number) => number === 'N-0')
  const { pages } = await staging(slow.on, sending(manyLines(200)).lines)
  const reading = readAll(pages)
  await settled()
  slow.open()
  t.is((await reading).results.length, 200)
  const sizes = slow.begun.map(({ length }) => length)
  t.is(Math.max(...sizes), 64)
  t.true(sizes.length < 20)
})

test('the later of two lines with one account number begins after the earlier, and counts', async (t) => {
  const slow = gatedStaging(() => true)
  const sent = ['first', 'second'].map((billing_name, index) => ({
    line: index + 1,
    bytes: 2,
    json: async () => E.right({ payload: account('A', { billing_name }) }),
  }))
  const { ports, pages } = await staging(slow.on, sending([...sent, lineOf('B', 3)]).lines)
  const reading = readAll(pages)
  await settled()
  t.deepEqual(slow.begun, [['A']])
  slow.open()
  const { results } = await reading
  t.deepEqual(slow.begun, [['A'], ['A', 'B']])
  const outcomes = results.map(({ outcome }) => E.isRight(outcome) && outcome.right.outcome)
  t.deepEqual(outcomes, ['created', 'replaced', 'created'])
  const [staged] = await right(ports.accountImports.staged([keyOf('A')]))
  t.is((JSON.parse(staged?.payload ?? '') as { billing_name: string }).billing_name, 'second')
})

const windows: readonly (readonly [why: string, bytes: number, atOnce: number])[] = [
  ['128 lines', 2, 128],
  ['lines of 2 MiB together', 2 ** 20, 2],
  ['a line that is larger than 2 MiB alone', 3_000_000, 1],
]
for (const [why, bytes, atOnce] of windows)
  test(`bulk validation works on at most so much at a time, and reads no more: ${why}`, async (t) => {
    const slow = gatedStaging(() => true)
    const { asked, lines } = sending(manyLines(200, bytes))
    const { pages } = await staging(slow.on, lines)
    const reading = readAll(pages)
    await settled()
    t.deepEqual(slow.begun, [['N-0']])
    t.is(asked.count, atOnce)
    slow.open()
    t.is((await reading).results.length, 200)
  })

test('a line that is larger than the window follows smaller ones, and lines follow it', async (t) => {
  const slow = gatedStaging((number) => number === 'N-0')
  const sent = [2, 3_000_000, 2, 3_000_000, 3_000_000].map((bytes, index) =>
    lineOf(`N-${index}`, index + 1, bytes),
  )
  const { pages } = await staging(slow.on, sending(sent).lines)
  const reading = readAll(pages)
  await settled()
  slow.open()
  t.is((await reading).results.length, 5)
})

test('no line is read before a result is requested', async (t) => {
  const { asked, lines } = sending(manyLines(5))
  await staging(() => ({}), lines)
  await settled()
  t.is(asked.count, 0)
})

test('ending the iteration stops the lines', async (t) => {
  const { asked, lines } = sending(manyLines(1000))
  const { pages } = await staging(() => ({}), lines)
  for await (const page of pages) {
    t.true(page.length > 0)
    break
  }
  await settled()
  t.true(asked.isOver)
  t.true(asked.count < 1000)
})

test('ending the iteration does not wait for lines that cannot be stopped', async (t) => {
  const lines = manyLines(1000)[Symbol.iterator]()
  const next = async () => lines.next()
  let stops = 0
  const unstoppable = async () => {
    stops += 1
    throw new Error('not now')
  }
  const { pages } = await staging(() => ({}), {
    [Symbol.asyncIterator]: () => ({ next, return: unstoppable }),
  })
  for await (const page of pages) {
    t.true(page.length > 0)
    break
  }
  await settled()
  t.is(stops, 1)
})

for (const fails of [true, false])
  test(`lines are read one at a time, and not after ${fails ? 'their failure' : 'their end'}`, async (t) => {
    const left = [...manyLines(3)]
    const calls = { next: 0, atOnce: 0, return: 0 }
    const next = async (): Promise<IteratorResult<BulkLine>> => {
      calls.next += 1
      const before = calls.next
      await settled()
      calls.atOnce = Math.max(calls.atOnce, calls.next - before + 1)
      const value = left.shift()
      if (value === undefined && fails) throw new Error('the connection was lost')
      return value === undefined ? { done: true, value } : { done: false, value }
    }
    const stop = async (): Promise<IteratorResult<BulkLine>> => {
      calls.return += 1
      return { done: true, value: undefined }
    }
    const lines = { [Symbol.asyncIterator]: () => ({ next, return: stop }) }
    const { pages } = await staging(() => ({}), lines)
    t.is((await readAll(pages)).results.length, 3)
    t.deepEqual(calls, { next: 4, atOnce: 1, return: 0 })
  })

test('lines that fail give the earlier results, and then their error', async (t) => {
  const broken = new Error('the connection was lost')
  const { pages } = await staging(() => ({}), sending(manyLines(3), broken).lines)
  const { results, cause } = await readAll(pages)
  const lineNumbers = results.map(({ line }) => line)
  t.deepEqual(lineNumbers, [1, 2, 3])
  t.is(cause, broken)
})

test('a port that throws ends the stream with its exception, after the earlier results', async (t) => {
  const thrown = new Error('a fault')
  const { pages } = await staging(
    (ports) =>
      changed(ports, 'accountImports', {
        stage: async (stagings) => {
          if (stagings.some(({ key }) => key.externalAccountNumber === 'N-2')) throw thrown
          return ports.accountImports.stage(stagings)
        },
      }),
    sending(manyLines(10)).lines,
  )
  const { results, cause } = await readAll(pages)
  const lineNumbers = results.map(({ line }) => line)
  t.deepEqual(lineNumbers, [1])
  t.is(cause, thrown)
})

/** A store that fails the staging of each account for which `fails` returns true. */
const failingFor =
  (fails: (number: string) => boolean, kind: PortFailure['kind'] = 'unavailable') =>
  (ports: Ports) =>
    changed(ports, 'accountImports', {
      stage: async (stagings) => {
        const failure = portFailure(kind, 'accountImports', 'stage', new Error('made to fail'))
        const isFailing = ({ key }: Staging) => fails(key.externalAccountNumber)
        const staged = await right(ports.accountImports.stage(stagings.filter((each) => !isFailing(each))))
        const outcomes = staged.values()
        return E.right(
          stagings.map((each) =>
            isFailing(each) ? { _tag: 'failed', failure } : (outcomes.next().value as StageOutcome),
          ),
        )
      },
    })

const indexOf = (number: string): number => Number(number.slice('N-'.length))

const outages: readonly (readonly [why: string, yours: (ports: Ports) => Partial<Ports>, isCut: boolean])[] =
  [
    ['256 lines in a row found a port unavailable', failingFor((number) => indexOf(number) < 256), true],
    [
      'a port failed for whole calls',
      ({ accountImports }) => ({ accountImports: failing(accountImports, 'stage') }),
      true,
    ],
    ['255 lines did, and then the port was available', failingFor((number) => indexOf(number) < 255), false],
    ['all failed with another kind of failure', failingFor(() => true, 'unexpected'), false],
  ]
for (const [why, yours, isCut] of outages)
  test(`the stream ${isCut ? 'ends with the failure' : 'continues to its end'} when ${why}`, async (t) => {
    let done = 0
    const sent = manyLines(600).map((line) => ({ ...line, done: () => void (done += 1) }))
    const { pages } = await staging(yours, sending(sent).lines)
    const { results, cause } = await readAll(pages)
    t.is(done, results.length)
    if (isCut) t.like(cause, { _tag: 'PortFailure', kind: 'unavailable' })
    else t.is(cause, undefined)
    t.true(isCut ? results.length >= 256 && results.length < 600 : results.length === 600)
  })

test('a success resets the count of failed lines', async (t) => {
  const { pages } = await staging(
    failingFor((number) => (indexOf(number) + 1) % 200 > 0),
    sending(manyLines(600)).lines,
  )
  const { results, cause } = await readAll(pages)
  t.is(cause, undefined)
  t.is(results.filter(({ outcome }) => E.isRight(outcome)).length, 3)
})

test('a stream that waits for its next line holds no payload and no result of earlier ones', async (t) => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const held: WeakRef<object>[] = []
  const hold = <A extends object>(value: A): A => {
    held.push(new WeakRef(value))
    return value
  }
  async function* lines(): AsyncGenerator<BulkLine> {
    for (let line = 1; line <= 100; line += 1)
      yield { line, bytes: 2, json: async () => E.right({ payload: hold(account(`N-${line}`)) }) }
    await new Promise(() => undefined)
  }
  const { pages } = await staging(() => ({}), lines())
  const results = pages[Symbol.asyncIterator]()
  for (let received = 0; received < 100;) received += hold((await results.next()).value as object[]).length
  void results.next()
  await settled()
  collect()
  t.true(held.length > 100, 'payloads and pages')
  t.is(held.filter((each) => each.deref() !== undefined).length, 0)
})
