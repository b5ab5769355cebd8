import test from 'ava'
import { rememberedDocuments, type Documents } from '@account-import/core'
import { failing, inMemoryDocuments } from '@account-import/core/in-memory'
import { settableClock } from '../support/settable-clock.js'
import { answer } from '../support/answers.js'

/** Remembered documents over a set that may change; what the set is asked for is noted. */
const world = (options: Parameters<typeof rememberedDocuments>[2] = {}) => {
  const stored = new Set<string>()
  const questions: (readonly string[])[] = []
  const memory = inMemoryDocuments(stored)
  const documents: Documents = {
    ...memory,
    existing: (keys) => {
      questions.push(keys)
      return memory.existing(keys, 'LLUM')
    },
  }
  const clock = settableClock()
  return { stored, questions, clock, remembered: rememberedDocuments(documents, clock, options) }
}

test('what was found is not asked for again, what was missing always is', async (t) => {
  const { stored, questions, remembered } = world()
  stored.add('a/1.pdf')
  for (const _ of [1, 2])
    t.deepEqual(await answer(remembered.existing(['a/1.pdf', 'a/2.pdf'], 'LLUM')), new Set(['a/1.pdf']))
  t.deepEqual(questions, [['a/1.pdf', 'a/2.pdf'], ['a/2.pdf']])
  stored.add('a/2.pdf')
  t.deepEqual(
    await answer(remembered.existing(['a/1.pdf', 'a/2.pdf'], 'LLUM')),
    new Set(['a/1.pdf', 'a/2.pdf']),
  )
  t.deepEqual(await answer(remembered.existing(['a/2.pdf'], 'LLUM')), new Set(['a/2.pdf']))
  t.is(questions.length, 3)
})

test('the full key is what is remembered: the same path below another root is asked for', async (t) => {
  const { stored, questions, remembered } = world()
  stored.add('levante/1.pdf')
  await answer(remembered.existing(['levante/1.pdf'], 'LLUM'))
  t.deepEqual(await answer(remembered.existing(['poniente/1.pdf'], 'LLUM')), new Set())
  t.deepEqual(await answer(remembered.existing(['levante/1.PDF'], 'LLUM')), new Set())
  t.is(questions.length, 3)
})

test('after a minute a document is asked for again, and also when the clock was put back', async (t) => {
  const { stored, questions, clock, remembered } = world()
  stored.add('1.pdf')
  const existing = remembered.existing(['1.pdf'], 'LLUM')
  await answer(existing)
  stored.delete('1.pdf')
  clock.advance(50)
  t.deepEqual(await answer(existing), new Set(['1.pdf']))
  clock.advance(10)
  t.deepEqual(await answer(existing), new Set())
  t.is(questions.length, 2)
  stored.add('1.pdf')
  await answer(existing)
  clock.advance(-3600)
  stored.delete('1.pdf')
  t.deepEqual(await answer(existing), new Set())
})

test('only so many documents are remembered, the latest found', async (t) => {
  const { stored, questions, remembered } = world({ mostEntries: 2 })
  for (const key of ['1', '2', '3']) {
    stored.add(key)
    await answer(remembered.existing([key], 'LLUM'))
  }
  t.is(questions.length, 3)
  await answer(remembered.existing(['3', '2'], 'LLUM'))
  t.is(questions.length, 3)
  await answer(remembered.existing(['1'], 'LLUM'))
  t.is(questions.length, 4)
  const many = Array.from({ length: 50 }, (_, index) => `many-${index}`)
  for (const key of many) stored.add(key)
  t.deepEqual(await answer(remembered.existing(many, 'LLUM')), new Set(many))
  await answer(remembered.existing(many, 'LLUM'))
  t.is(questions.at(-1)?.length, 48)
})

test('a failure is not remembered, and does not spoil what is', async (t) => {
  const stored = new Set(['1', '2'])
  const remembered = rememberedDocuments(
    failing(inMemoryDocuments(stored), 'existing', { nth: 2, times: 1 }),
    settableClock(),
  )
  await answer(remembered.existing(['1'], 'LLUM'))
  t.is((await remembered.existing(['1', '2'], 'LLUM')())._tag, 'Left')
  t.deepEqual(await answer(remembered.existing(['1', '2'], 'LLUM')), new Set(['1', '2']))
})

test('whether the storage is ready is asked each time', async (t) => {
  const remembered = rememberedDocuments(
    failing(inMemoryDocuments(new Set()), 'ready', { nth: 2, times: 1 }),
    settableClock(),
  )
  const answers = [await remembered.ready()(), await remembered.ready()(), await remembered.ready()()]
  t.deepEqual(
    answers.map(({ _tag }) => _tag),
    ['Right', 'Left', 'Right'],
  )
})
