import { type ImportRun, instantOf, type RunFailure } from '@account-import/core'
import { placeOf } from '@account-import/core/adapter-kit'
import { comparePlaces, compareRuns, findingsOf, namedAt, runErrors } from '@account-import/core/testing'
import test from 'ava'

const second = (seconds: number) => instantOf(seconds * 1000)

const failure = (
  code: string,
  findings: readonly (readonly [code: string, field: string])[] = [],
  step: RunFailure['step'] = 'stage',
): RunFailure => ({
  step,
  line: 1,
  externalAccountNumber: 'A',
  code,
  findings: findings.map(([each, field]) => ({ code: each, field, attr: field, times: 1 })),
  failedAt: second(0),
})

test('errors of a run are counted by step, code and field, the most frequent first, then in order', (t) => {
  const found = runErrors([
    failure('refused', [
      ['b', 'x'],
      ['a', 'y'],
    ]),
    failure('refused', [
      ['a', 'x'],
      ['b', 'x'],
    ]),
    failure('alone'),
    failure('alone', [], 'process'),
  ])
  t.deepEqual(
    found.map(({ step, code, field, count }) => [step, code, field, count]),
    [
      ['stage', 'b', 'x', 2],
      ['process', 'alone', '', 1],
      ['stage', 'a', 'x', 1],
      ['stage', 'a', 'y', 1],
      ['stage', 'alone', '', 1],
    ],
  )
  const many = Array.from({ length: 25 }, (_, index) => failure(`c${String(index).padStart(2, '0')}`))
  const first = runErrors(many)
  t.deepEqual([first.length, first[0]?.code, first.at(-1)?.code], [20, 'c00', 'c19'])
})

test('the path of a field stands for all items of its lists', (t) => {
  const fieldOf = (attr: string) => findingsOf([{ code: 'is_blank', attr }])[0]?.field
  t.is(fieldOf('customers.0.landline'), 'customers[].landline')
  t.is(fieldOf('0.a1.12'), '[].a1[]')
  t.is(fieldOf('a.b2c.3d'), 'a.b2c.3d')
})

test('findings are kept once for each code and field, at most 20, with the first path cut to 255', (t) => {
  const long = `metadata.0.${'x'.repeat(300)}`
  const found = findingsOf([
    { code: 'a', attr: 'customers.0.email' },
    { code: 'a', attr: 'customers.1.email' },
    { code: 'b', attr: 'customers.0.email' },
    { code: 'a', attr: long },
  ])
  t.deepEqual(found.slice(0, 2), [
    { code: 'a', field: 'customers[].email', attr: 'customers.0.email', times: 2 },
    { code: 'b', field: 'customers[].email', attr: 'customers.0.email', times: 1 },
  ])
  t.deepEqual([found[2]?.attr, found[2]?.field.length], [long.slice(0, 255), 255 - '.0'.length + '[]'.length])
  const many = Array.from({ length: 25 }, (_, index) => ({ code: `c${index}`, attr: '' }))
  const kept = findingsOf([...many, { code: 'c0', attr: '' }, { code: 'c24', attr: '' }])
  t.deepEqual([kept.length, kept[0]?.times, kept.at(-1)?.code], [20, 2, 'c19'])
})

test('failures are ordered by step, line and number, and runs by time with the latest first', (t) => {
  const places = [
    placeOf({ step: 'process', line: 9, externalAccountNumber: 'A' }),
    placeOf({ step: 'stage', line: undefined, externalAccountNumber: undefined }),
    placeOf({ step: 'stage', line: 2, externalAccountNumber: 'A' }),
    placeOf({ step: 'stage', line: 2, externalAccountNumber: 'B' }),
    placeOf({ step: 'stage', line: 10, externalAccountNumber: 'A' }),
  ]
  t.deepEqual(places[1], { step: 'stage', line: 0, externalAccountNumber: '' })
  t.deepEqual(places.toReversed().sort(comparePlaces), places)
  const runs = [
    { id: 'a', startedAt: second(3) },
    { id: 'c', startedAt: second(2) },
    { id: 'b', startedAt: second(2) },
  ]
  t.deepEqual(runs.toReversed().sort(compareRuns), runs)
})

test('requests move a run: with progress, without, late, after ten minutes, and after its end', (t) => {
  const run = {
    id: 'r',
    latestRequestAt: second(100),
    latestProgressAt: second(50),
    finishedAt: undefined,
    failuresRemovedAt: second(1),
  } as ImportRun
  const times = ({ latestRequestAt, latestProgressAt, failuresRemovedAt }: ImportRun) => [
    latestRequestAt,
    latestProgressAt,
    failuresRemovedAt,
  ]
  t.deepEqual(times(namedAt(run, second(200), false)), [second(200), second(50), undefined])
  t.deepEqual(times(namedAt(run, second(200), true)), [second(200), second(200), undefined])
  t.deepEqual(times(namedAt(run, second(70), true)), [second(100), second(70), undefined])
  t.is(namedAt(run, second(100), false), run)
  t.is(namedAt(run, second(50), true), run)
  t.deepEqual(times(namedAt(run, second(700), false)), [second(700), second(50), undefined])
  t.deepEqual(times(namedAt(run, second(701), false)), [second(701), second(701), undefined])
  const finished = { ...run, finishedAt: second(100) }
  t.is(namedAt(finished, second(200), true), finished)
})
