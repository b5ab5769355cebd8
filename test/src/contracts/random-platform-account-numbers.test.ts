import { randomPlatformAccountNumbers } from '@account-import/core'
import test from 'ava'
import { answer } from '../support/answers.js'

test('random platform account numbers ascend, so that rows lie together, but for one step in 32 768', async (t) => {
  const count = 100_000
  const numbers: string[] = []
  for (let index = 0; index < count; index += 1)
    numbers.push(await answer(randomPlatformAccountNumbers.next()))
  t.is(new Set(numbers).size, count)
  for (const number of numbers) t.regex(number, /^A-[0-9A-HJKMNP-TV-Z]{12}$/)
  const blocks = new Set(numbers.map((number) => number.slice(0, -3)))
  t.true(blocks.size <= 5, `${blocks.size} blocks`)
  const descents = numbers.filter((number, index) => number < (numbers[index - 1] ?? ''))
  t.true(descents.length < blocks.size, `${descents.length} descents`)
})
