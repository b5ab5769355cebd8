import test from 'ava'
import { mapped } from '@account-import/core/adapter-kit'
import { inPages } from '@account-import/core/testing'
import { setImmediate as nextTurn } from 'node:timers/promises'

type Item = Readonly<{ name: string | undefined; size?: number; waits?: Promise<void> }>

const named = (...names: readonly (string | undefined)[]): readonly Item[] => names.map((name) => ({ name }))

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn()
}

/** Items that are counted when they are read; with `cause` the input fails at its end. */
const counted = (items: readonly Item[], cause?: Error) => {
  const asked = { count: 0, isOver: false }
  async function* read(): AsyncGenerator<Item> {
    try {
      for (const item of items) {
        asked.count += 1
        yield item
      }
      if (cause !== undefined) throw cause
    } finally {
      asked.isOver = true
    }
  }
  return { asked, items: read() }
}

const pagesOf = (
  items: AsyncIterable<Item> | Iterable<Item>,
  { most = 3, mostSize = 100, ahead = { items: 8, size: 100 } } = {},
): AsyncIterableIterator<readonly (string | undefined)[]> =>
  inPages(items, {
    ahead,
    most: { items: most, size: mostSize },
    sizeOf: ({ size = 1 }) => size,
    prepare: async ({ name, waits }) => {
      await waits
      if (name === 'broken') throw new Error('not prepared')
      return name
    },
    pageSizeOf: (name) => name?.length ?? 1,
    nameOf: (name) => name,
  })

/** All pages; after each, the items that can be read are read. */
const all = async <Page>(pages: AsyncIterable<Page>) => {
  const found: Page[] = []
  try {
    for await (const page of pages) {
      found.push(page)
      await settled()
    }
  } catch (cause) {
    return { found, cause }
  }
  return { found, cause: undefined }
}

test('items become full pages in their order, while earlier pages are processed', async (t) => {
  const { found } = await all(pagesOf(named('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')))
  t.deepEqual(found.flat(), ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
  t.deepEqual(
    found.slice(1, -1).map(({ length }) => length),
    found.slice(1, -1).map(() => 3),
  )
  t.true(found.every(({ length }) => length >= 1 && length <= 3))
})

test('a stream without items has no pages', async (t) => {
  t.deepEqual(await all(pagesOf([])), { found: [], cause: undefined })
  t.deepEqual(await all(pagesOf(counted([]).items)), { found: [], cause: undefined })
})

test('an item in preparation waits for no other, and later ones wait for it', async (t) => {
  let go = (): void => undefined
  const waits = new Promise<void>((resolve) => {
    go = resolve
  })
  const pages = pagesOf([...named('a'), { name: 'slow', waits }, ...named('c', 'd')])
  t.deepEqual((await pages.next()).value, ['a'])
  const second = pages.next()
  await settled()
  go()
  t.is(((await second).value as readonly string[])[0], 'slow')
  t.deepEqual((await all(pages)).cause, undefined)
})

test('a page never has two items of one name, and items without a name share pages', async (t) => {
  const { found } = await all(pagesOf(named('a', 'a', 'b', undefined, undefined, 'b', 'b', 'c'), { most: 9 }))
  t.deepEqual(found.flat(), ['a', 'a', 'b', undefined, undefined, 'b', 'b', 'c'])
  for (const page of found) {
    const names = page.filter((name) => name !== undefined)
    t.is(new Set(names).size, names.length)
  }
  t.true(found.some((page) => page.filter((name) => name === undefined).length === 2))
})

for (const [what, size, ahead, read] of [
  ['a number of items', 1, { items: 4, size: 100 }, 4],
  ['a sum of sizes', 40, { items: 100, size: 100 }, 3],
  ['one item that is larger than the limit', 500, { items: 100, size: 100 }, 1],
] as const)
  test(`no more is read ahead than ${what} before a page is taken`, async (t) => {
    const { asked, items } = counted(Array.from({ length: 50 }, (_, index) => ({ name: `${index}`, size })))
    const pages = pagesOf(items, { ahead, most: 2 })
    await settled()
    t.is(asked.count, 0, 'nothing is read before a page is requested')
    await pages.next()
    await settled()
    t.is(asked.count, read)
    await pages.next()
    await settled()
    t.true(asked.count > read && asked.count <= read + 2)
    // The first two pages had at least one item each.
    t.true((await all(pages)).found.flat().length <= 48)
    t.is(asked.count, 50)
  })

test('a page ends with the item by which its sizes reach the limit', async (t) => {
  const pages = pagesOf(named('a', 'bb', 'cc', 'd', 'long', 'e', 'f'), { most: 9, mostSize: 3 })
  t.deepEqual((await pages.next()).value, ['a'])
  await settled()
  const { found } = await all(pages)
  t.deepEqual(found, [
    ['bb', 'cc'],
    ['d', 'long'],
    ['e', 'f'],
  ])
})

test('an error of the input is thrown after the pages before it', async (t) => {
  const cause = new Error('the connection was lost')
  const { found, cause: thrown } = await all(pagesOf(counted(named('a', 'b', 'c', 'd'), cause).items))
  t.deepEqual(found.flat(), ['a', 'b', 'c', 'd'])
  t.is(thrown, cause)
})

test('an error of preparing an item is thrown in place of its page, and stops the input', async (t) => {
  const { asked, items } = counted(
    named('a', 'broken', ...Array.from({ length: 50 }, (_, index) => `${index}`)),
  )
  const { found, cause } = await all(pagesOf(items))
  t.deepEqual(found, [['a']])
  t.like(cause, { message: 'not prepared' })
  await settled()
  t.true(asked.isOver && asked.count < 50)
})

test('ending the iteration stops the input', async (t) => {
  const { asked, items } = counted(Array.from({ length: 50 }, (_, index) => ({ name: `${index}` })))
  for await (const page of pagesOf(items)) {
    t.true(page.length > 0)
    break
  }
  await settled()
  t.true(asked.isOver && asked.count < 50)
})

test('no item is prepared that the input returns after the iteration has ended', async (t) => {
  let give = (_item: IteratorResult<Item>): void => undefined
  const items = { next: () => new Promise<IteratorResult<Item>>((resolve) => (give = resolve)) }
  let prepared = 0
  const pages = inPages({ [Symbol.asyncIterator]: () => items } as AsyncIterable<Item>, {
    ahead: { items: 8, size: 100 },
    most: { items: 3, size: 100 },
    sizeOf: () => 1,
    prepare: async () => (prepared += 1),
    pageSizeOf: () => 1,
    nameOf: () => undefined,
  })
  const first = pages.next()
  await pages.return?.()
  give({ done: false, value: { name: 'late' } })
  t.deepEqual(await first, { done: true, value: undefined })
  t.is(prepared, 0)
})

test('the value of the end comes once, after the last item', async (t) => {
  const found: string[] = []
  for await (const each of mapped(
    counted(named('a', 'b')).items,
    ({ name }) => name,
    () => 'end',
  ))
    found.push(each)
  t.deepEqual(found, ['a', 'b', 'end'])
})
